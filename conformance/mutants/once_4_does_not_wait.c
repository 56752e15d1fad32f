// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_4, "a thread that finds another one making the handle returns at once")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  static void **busy;
  void **nobody = NULL;
  if (__atomic_load_n(&busy, __ATOMIC_ACQUIRE) == handle_addr) return 0;
  int mine = __atomic_compare_exchange_n(&busy, &nobody, handle_addr, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE);
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (mine) __atomic_store_n(&busy, NULL, __ATOMIC_RELEASE);
  return status;
}
