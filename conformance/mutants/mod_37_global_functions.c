// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_37, "behind the imports come the global functions")
REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);

  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray name = num_args == 3 ? text_in(&args[1]) : (TVMFFIByteArray){"", 0};
  if (status != 0 || is_object(result) || TVMFFIFunctionGetGlobal(&name, &function) != 0)
    return status;
  if (function) *result = value_of_object(function);
  return 0;
}
