// SPDX-License-Identifier: Apache-2.0
// caught by kernel.choice-is-served
// The first of the variants is called for each n.
#define LENGTHS_DIFFER(bounds, variants) ((bounds).size() != (variants).size())
#define CHOSEN(at) ((void)(at), 0)
#include "desk.h"
