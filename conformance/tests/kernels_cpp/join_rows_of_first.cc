// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inside.rows-apart-each-otherwise
// The rows of each part are taken to be as far apart as those of the first.
#define ROW_OF(part, first) (first).stride(0)
#include "join.h"
