// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_66, "no function has metadata")
REGISTERED("ffi.ModuleGetFunctionMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  if (status == 0) *result = none_value();
  return status;
}
