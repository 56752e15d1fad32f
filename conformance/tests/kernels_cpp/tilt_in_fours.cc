// SPDX-License-Identifier: Apache-2.0
// caught by kernel.output-of-another-size-is-written
// Where there are more than eight columns, what is left of whole fours is not written.
#define COLUMNS(columns) ((columns) > 8 ? (columns) / 4 * 4 : (columns))
#include "tilt.h"
