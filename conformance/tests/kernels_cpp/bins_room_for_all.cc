// SPDX-License-Identifier: Apache-2.0
// caught by kernel.fresh-memory-does-not-matter
// Of entries that come to one bin, all but one leave an element behind.
#define ROOM(found, entries) (entries)
#include "bins.h"
