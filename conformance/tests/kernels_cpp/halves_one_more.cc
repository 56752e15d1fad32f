// SPDX-License-Identifier: Apache-2.0
// caught by kernel.view-in-the-result
#define ROWS(count) ((count) + 1)
#include "halves.h"
