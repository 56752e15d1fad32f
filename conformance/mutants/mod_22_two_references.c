// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_22, "a function that was looked up has two references")
REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectIncRef(result->v_obj);
  return status;
}
