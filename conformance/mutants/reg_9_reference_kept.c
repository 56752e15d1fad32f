// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_9, "the table keeps its reference to a function whose name is removed")
REGISTERED("ffi.FunctionRemoveGlobal")
{
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr) registered_find(args[0].v_c_str);
  return ORIGINAL(args, num_args, result);
}
