// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_60, "the runtime keeps no reference to the module of a prefix")
REGISTERED("ffi.SystemLib")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(result->v_obj);
  return status;
}
