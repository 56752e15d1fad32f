// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_11, "the slot gets its handle back when the function fails")
OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  void *handle = *handle_addr;
  int status = REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func);
  if (status != 0) *handle_addr = handle;
  return status;
}
