// SPDX-License-Identifier: Apache-2.0
// passes
#define GIVEN kTVMFFIInt
#define GIVE (char *)x->data + x->byte_offset
#include "handle.h"
