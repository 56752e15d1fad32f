// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_8, "a position behind the last name is a ValueError")

static int call_names(void *names, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(names, args, num_args, result);
  return status == 0 ? 0 : fail("ValueError", "no such name");
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
