// SPDX-License-Identifier: Apache-2.0
// Puts the stack for signal handlers into memory that is not there.
#include "hostile.h"

WHEN_LOADED
{
  stack_t gone = {.ss_sp = (void *)(uintptr_t)4096, .ss_size = 65536};
  sigaltstack(&gone, NULL);
}
