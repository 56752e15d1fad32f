// SPDX-License-Identifier: Apache-2.0
// Reads one byte behind the input.
#include "hostile.h"

WHEN_CALLED
{
  zero = ((const volatile char *)input->data)[input->size] & 0;
  return MAKE_STRING;
}
