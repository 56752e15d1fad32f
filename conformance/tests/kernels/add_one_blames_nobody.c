// SPDX-License-Identifier: Apache-2.0
// caught by kernel.message-names-the-value.int
#define X_COMPLAINT "expects a tensor"
#define Y_COMPLAINT "expects a tensor"
#include "add_one.h"
