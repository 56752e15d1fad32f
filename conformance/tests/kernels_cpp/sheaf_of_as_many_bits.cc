// SPDX-License-Identifier: Apache-2.0
// caught by buffer.dtype-of-other-calls
// Only the bits of the types are compared.
#define IS_OF(type, first) ((type).bits == (first).bits)
#include "sheaf.h"
