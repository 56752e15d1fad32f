// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static void **taken_down;

MUTANT(ONCE_14, "a slot that was taken down stays empty")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  if (taken_down == handle_addr && *handle_addr == NULL) return 0;
  return REFERENCE(HandleInitOnce)(handle_addr, init_func);
}

OVERRIDE(HandleDeinitOnce, void **handle_addr, int (*deinit_func)(void *handle))

{
  taken_down = handle_addr;
  return REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func);
}
