// SPDX-License-Identifier: Apache-2.0
// caught by buffer.inside.rows-apart-each-otherwise
// The example of the file has one part, whose rows are right.
#define ROW_OF(part, first) (first).stride(0)
#include "join.h"
