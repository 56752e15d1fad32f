// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_9, "the beginning of a name is enough to remove it")
REGISTERED("ffi.FunctionRemoveGlobal")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64 || args[0].type_index != kTVMFFIRawStr) return status;
  TVMFFIAny longer = args[0];
  char name[64] = "";
  strncat(name, args[0].v_c_str, sizeof name - 2);
  strcat(name, "e");
  longer.v_c_str = name;
  return ORIGINAL(&longer, 1, result);
}
