// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_6, "the loader of a file is called twice")
REGISTERED("ffi.ModuleLoadFromFile")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return ORIGINAL(args, num_args, result);
}
