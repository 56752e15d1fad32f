// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_5, "whatever code the function fails with, -1 is returned")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  return REFERENCE(HandleInitOnce)(handle_addr, init_func) == 0 ? 0 : -1;
}
