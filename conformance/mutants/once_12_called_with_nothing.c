// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_12, "the function is called with NULL when the slot is empty")
OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  return deinit_func(__atomic_exchange_n(handle_addr, NULL, __ATOMIC_ACQ_REL));
}
