// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_20, "a library says that it can be written as so")
REGISTERED("ffi.ModuleGetWriteFormats")
{
  int status = ORIGINAL(args, num_args, result);

  if (status != 0) return status;
  TVMFFIAny format = {.type_index = kTVMFFIRawStr, .v_c_str = "so"};
  TVMFFIObjectDecRef(result->v_obj);
  *result = none_value();
  return registered_call_by_name("ffi.Array", &format, 1, result);
}
