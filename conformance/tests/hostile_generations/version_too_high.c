// SPDX-License-Identifier: Apache-2.0
// Has the functions of 0.1.4 and reports 0.1.15.
#include "exported.h"

REPORTS(0, 1, 15)
