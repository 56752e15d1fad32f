// SPDX-License-Identifier: Apache-2.0
// Reports the version of its own product.
#include "exported.h"

REPORTS(7, 0, 3)
