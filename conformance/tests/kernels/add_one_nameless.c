// SPDX-License-Identifier: Apache-2.0
// caught by kernel.message-names-the-argument
#define X_COMPLAINT "expects a tensor"
#define Y_COMPLAINT X_COMPLAINT
#include "add_one.h"
