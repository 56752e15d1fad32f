// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_3, "the function is called for a filled slot too, and its handle dropped")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  void *dropped = NULL;
  if (*handle_addr != NULL) return init_func(&dropped);
  return REFERENCE(HandleInitOnce)(handle_addr, init_func);
}
