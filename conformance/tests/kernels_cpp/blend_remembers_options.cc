// SPDX-License-Identifier: Apache-2.0
// caught by kernel.object-where-another-was saying an object for options
#define NUMBERS_OF(options) Remembered(options, Read)
#include "blend.h"
