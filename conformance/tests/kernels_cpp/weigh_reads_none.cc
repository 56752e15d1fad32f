// SPDX-License-Identifier: Apache-2.0
// caught by argument.optional-may-be-none
// The weight is read whether there is one or not.
#define HAS_WEIGHT(weight) true
#include "weigh.h"
