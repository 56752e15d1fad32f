// SPDX-License-Identifier: Apache-2.0
// caught by buffer.shape-disagrees.shorter
// Fewer offsets than parts are taken, if they end where they must.
#define HAS_ITS_LENGTH(offsets, parts) ((offsets) <= (parts) + 1)
#include "ragged_right.cc"
