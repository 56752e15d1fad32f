// SPDX-License-Identifier: Apache-2.0
// caught by kernel.excluded-value-is-refused
// More variants than bounds are taken.
#define LENGTHS_DIFFER(bounds, variants) ((bounds).size() > (variants).size())
#define CHOSEN(at) (at)
#include "desk.h"
