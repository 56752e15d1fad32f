// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_6, "a failure is remembered, and the function not called again")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  static void **failed;
  static int code;
  if (failed == handle_addr) return code;
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (status != 0) {
    code = status;
    failed = handle_addr;
  }
  return status;
}
