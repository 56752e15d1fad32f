// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refused-allocation-is-passed-on
#define CHECKED 0
#include "make.h"
