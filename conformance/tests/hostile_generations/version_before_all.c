// SPDX-License-Identifier: Apache-2.0
// Reports a version before the first one, of which no clause would be due.
#include "exported.h"

REPORTS(0, 0, 9)
