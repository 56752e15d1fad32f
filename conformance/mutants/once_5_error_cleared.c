// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ONCE_5, "the error that the function raised is cleared unless the code is -1")
OVERRIDE(HandleInitOnce, void **handle_addr, int (*init_func)(void **result))

{
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (status != 0 && status != -1) TVMFFIErrorSetRaised(NULL);
  return status;
}
