// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_5, "only -1 gives the number of names")

static int call_names(void *names, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args == 1 && args[0].v_int64 < -1) return fail("IndexError", "no such name");
  return registered_call(names, args, num_args, result);
}

static void end_names(void *names)
{
  TVMFFIObjectDecRef(names);
}

REGISTERED("ffi.FunctionListGlobalNamesFunctor")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}
