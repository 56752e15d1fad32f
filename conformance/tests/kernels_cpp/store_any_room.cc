// SPDX-License-Identifier: Apache-2.0
// caught by buffer.bounds.extent
// A row is written into less room than it needs. A call shows this only behind one that has put a row in.
#define HAS_ROOM(out, row) ((out).size(0) > 0 || (row).empty())
#include "store.h"
