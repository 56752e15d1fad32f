// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(BIN_25, "a payload is refused without a word")
WRAP(int, module_tree_load, TVMFFIObject *library, const char *name, const void *bytes,
     TVMFFIObject **out)
{
  int code = REAL(module_tree_load)(library, name, bytes, out);
  TVMFFIObjectHandle error = NULL;
  if (code != 0) TVMFFIErrorMoveFromRaised(&error);
  if (error) TVMFFIObjectDecRef(error);
  return code;
}
