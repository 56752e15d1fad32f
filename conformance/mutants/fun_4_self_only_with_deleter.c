// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_4, "a closure without deleter is called with the function object")

typedef struct Stand {
  TVMFFISafeCallType callback;
  TVMFFIObjectHandle function;
} Stand;

static int call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Stand *stand = handle;
  return stand->callback(stand->function, args, num_args, result);
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  if (deleter || !self) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  Stand *stand = malloc(sizeof *stand);
  if (!stand) return -1;
  int status = REFERENCE(FunctionCreate)(stand, call, free, out);
  if (status == 0) *stand = (Stand){safe_call, *out};
  return status;
}
