// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_4, "a module that was loaded has two references")
REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(result->v_obj);
  return status;
}
