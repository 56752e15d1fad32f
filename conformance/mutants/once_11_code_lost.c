// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_11, "whatever code the function fails with, -1 is returned")
OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  return REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func) == 0 ? 0 : -1;
}
