// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_3, "a filled slot is filled anew")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  void *result = NULL;
  if (*handle_addr == NULL) return REFERENCE(HandleInitOnce)(handle_addr, init_func);
  int status = init_func(&result);
  if (status == 0) *handle_addr = result;
  return status;
}
