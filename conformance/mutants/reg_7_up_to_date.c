// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_7, "a list of names follows what is registered")

static int call_names(void *original, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny names = {0};
  if (ORIGINAL(NULL, 0, &names) != 0) return -1;
  int status = registered_call(names.v_obj, args, num_args, result);
  TVMFFIObjectDecRef(names.v_obj);
  return status;
}

REGISTERED("ffi.FunctionListGlobalNamesFunctor")
{
  TVMFFIObjectHandle wrapper = NULL;
  if (TVMFFIFunctionCreate(original, call_names, NULL, &wrapper) != 0) return -1;
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = wrapper};
  return 0;
}
