// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

// The sleep between the two stands for the interruptions of a busy machine.
MUTANT(ONCE_13, "the handle is read, and the slot emptied a moment later")
OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  void *handle = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  if (handle == NULL) return 0;
  usleep(1);
  __atomic_store_n(handle_addr, NULL, __ATOMIC_RELEASE);
  return deinit_func(handle);
}
