// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refused-element-updates-nothing
#define CHECKS_ELEMENTS_FIRST false
#include "stir.h"
