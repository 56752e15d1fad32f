// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_36, "a walk does not say that it has come to its end")

static int walk(void *functor, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(functor, args, num_args, result);
  if (status == 0 && num_args == 1 && args[0].v_int64 == 2) result->v_int64 = 1;
  return status;
}

static void end_walk(void *functor)
{
  TVMFFIObjectDecRef(functor);
}

REGISTERED("ffi.MapForwardIterFunctor")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, walk, end_walk, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}
