// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_32, "whatever a function of a library raises becomes a RuntimeError")
static int call_and_replace(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(self, args, num_args, result);
  return status == 0 ? 0 : fail("RuntimeError", "the kernel failed");
}

REGISTERED("ffi.ModuleGetFunction")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) put_before(result, call_and_replace);
  return status;
}
