// SPDX-License-Identifier: Apache-2.0
// passes but for kernel.same-call-gives-the-same
// What bid gives depends on the calls before it, and no file says that it does not.
#define LENGTHS_DIFFER(bounds, variants) ((bounds).size() != (variants).size())
#define CHOSEN(at) (at)
#include "desk.h"
