// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_9, "slots that are filled with the same function one after the other share a handle")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  static int (*last)(void **result);
  static void *handle;
  if (*handle_addr == NULL && last == init_func) *handle_addr = handle;
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  last = status == 0 ? init_func : NULL;
  handle = *handle_addr;
  return status;
}
