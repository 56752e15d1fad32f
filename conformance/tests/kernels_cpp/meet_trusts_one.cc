// SPDX-License-Identifier: Apache-2.0
// caught by buffer.bounds.element
#define CHECKS_OTHER false
#include "meet.h"
