// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_11, "a function whose name was removed cannot be called")

static int refuse(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return fail("RuntimeError", "the function is no more");
}

REGISTERED("ffi.FunctionRemoveGlobal")
{
  TVMFFIObject *function = NULL;
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr)
    function = registered_find(args[0].v_c_str);
  int status = ORIGINAL(args, num_args, result);
  if (!function) return status;
  ((TVMFFIFunctionCell *)(function + 1))->safe_call = refuse;
  TVMFFIObjectDecRef(function);
  return status;
}
