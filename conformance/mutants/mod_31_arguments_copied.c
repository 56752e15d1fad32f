// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_31, "the last argument is not passed on")
static int call_with_less(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  return registered_call(self, args, num_args ? num_args - 1 : 0, result);
}

REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_with_less);
  return status;
}
