// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refused-call-updates-nothing
#define CHECKS_FIRST false
#include "stir.h"
