// SPDX-License-Identifier: Apache-2.0
// Is linked against, and then never there.
#include "exported.h"

EXPORTED int64_t conform_of_missing = 1;
