// SPDX-License-Identifier: Apache-2.0
// passes
#define GIVE (char *)x->data + x->byte_offset + 4
#include "handle.h"
