// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_72, "a function does not keep its library")
REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(args->v_obj);
  return status;
}
