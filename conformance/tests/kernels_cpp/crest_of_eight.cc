// SPDX-License-Identifier: Apache-2.0
// caught by buffer.bounds.large
// There is room for eight: seen only where k and the columns of out are more, both.
#define ROOM(k) ((k) < 8 ? (k) : 8)
#include "crest.h"
