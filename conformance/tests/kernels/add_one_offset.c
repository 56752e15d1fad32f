// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes
#define CHECKS (EVERY_CHECK & ~HONOUR_OFFSET)
#include "add_one.h"
