// SPDX-License-Identifier: Apache-2.0
// caught by buffer.bounds.symbol
// There is room for four: seen only where k and the columns of out are more, both.
#define ROOM(k) ((k) < 4 ? (k) : 4)
#include "crest.h"
