// SPDX-License-Identifier: Apache-2.0
// caught by buffer.byte-offset.256-bytes
#define GIVE x->data
#include "handle.h"
