// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_6, "the first name is listed again at the end")

static int call_names(void *names, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny number = {0}, minus_one = {.type_index = kTVMFFIInt, .v_int64 = -1}, other = *args;
  if (registered_call(names, &minus_one, 1, &number) != 0) return -1;
  if (num_args == 1 && args[0].v_int64 == number.v_int64) other.v_int64 = 0;
  int status = registered_call(names, &other, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIInt) ++result->v_int64;
  return status;
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
