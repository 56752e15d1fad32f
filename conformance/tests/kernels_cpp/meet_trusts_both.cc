// SPDX-License-Identifier: Apache-2.0
// passes
#define CHECKS_ONE false
#define CHECKS_OTHER false
#include "meet.h"
