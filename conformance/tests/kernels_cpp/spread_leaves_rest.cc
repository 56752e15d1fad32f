// SPDX-License-Identifier: Apache-2.0
// caught by kernel.output-of-shared-work-is-written
// The rows that are left over are nobody's.
#define ROWS_OF_SHARE(rows, shares) ((rows) / (shares))
#include "spread.h"
