// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_20, "a look-up gives a new function that calls the one that was registered")

static int call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny *writable = NULL;
  memcpy(&writable, &args, sizeof writable);
  return TVMFFIFunctionCall(handle, writable, num_args, result);
}

static void end(void *handle)
{
  TVMFFIObjectDecRef(handle);
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle function = NULL;
  int status = REFERENCE(FunctionGetGlobal)(name, &function);
  if (status == 0 && function) return TVMFFIFunctionCreate(function, call, end, out);
  *out = NULL;
  return status;
}
