// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_10, "the slot is emptied when the function has run")
OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  void *handle = *handle_addr;
  if (handle == NULL) return 0;
  int status = deinit_func(handle);
  *handle_addr = NULL;
  return status;
}
