// SPDX-License-Identifier: Apache-2.0
// caught by kernel.stream-of-the-device
#define STREAM (void)x
#include "enqueue.h"
