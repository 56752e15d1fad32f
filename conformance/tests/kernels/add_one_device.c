// SPDX-License-Identifier: Apache-2.0
// caught by buffer.wrong-device.cuda
#define CHECKS (EVERY_CHECK & ~CHECK_DEVICE)
#include "add_one.h"
