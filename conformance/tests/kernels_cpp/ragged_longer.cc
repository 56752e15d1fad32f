// SPDX-License-Identifier: Apache-2.0
// caught by buffer.shape-disagrees.longer
// More offsets than parts are taken, if they end where they must.
#define HAS_ITS_LENGTH(offsets, parts) ((offsets) > (parts))
#include "ragged_right.cc"
