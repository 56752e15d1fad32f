// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_4, "every thread that finds the slot empty calls the function")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) != NULL) return 0;
  void *mine = NULL;
  int status = REFERENCE(HandleInitOnce)(&mine, init_func);
  if (status == 0) __atomic_store_n(handle_addr, mine, __ATOMIC_RELEASE);
  return status;
}
