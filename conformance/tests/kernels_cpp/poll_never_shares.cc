// SPDX-License-Identifier: Apache-2.0
// caught by kernel.right-call
// Nothing is ever shared.
#define SHARES false
#include "poll.h"
