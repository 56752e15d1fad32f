// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_18, "a closure that has failed once is ended at once")

typedef struct Stand {
  TVMFFISafeCallType callback;
  void (*deleter)(void *);
  void *self;
} Stand;

static int call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  Stand *stand = handle;
  int status = stand->callback(stand->self, args, num_args, result);
  if (status == 0 || !stand->deleter) return status;
  stand->deleter(stand->self);
  stand->deleter = NULL;
  return status;
}

static void end(void *handle)
{
  Stand *stand = handle;
  if (stand->deleter) stand->deleter(stand->self);
  free(stand);
}

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *),
         TVMFFIObjectHandle *out)
{
  if (!deleter) return REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  Stand *stand = malloc(sizeof *stand);
  if (!stand) return -1;
  *stand = (Stand){safe_call, deleter, self};
  return REFERENCE(FunctionCreate)(stand, call, end, out);
}
