// SPDX-License-Identifier: Apache-2.0
// Is of the generation of September 2025 in all but the version that it reports.
#include "exported.h"

REPORTS(0, 1, 15)
