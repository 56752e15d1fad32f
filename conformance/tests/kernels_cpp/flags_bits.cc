// SPDX-License-Identifier: Apache-2.0
// caught by kernel.bools-of-the-result
#define FLAG(bits) (bits)
#include "flags.h"
