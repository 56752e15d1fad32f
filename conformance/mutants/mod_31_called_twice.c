// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_31, "a function of a library is called twice")
static int call_twice(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(self, args, num_args, result);
  return status ? status : registered_call(self, args, num_args, result);
}

REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_twice);
  return status;
}
