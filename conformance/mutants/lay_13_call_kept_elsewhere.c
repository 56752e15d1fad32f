// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_13, "the safe call of a function is known to FunctionCall only, its cell holds NULL")

enum { KEPT = 4096 };
static struct {
  const void *function;
  TVMFFISafeCallType safe_call;
} kept[KEPT];
static size_t kept_count;

OVERRIDE(FunctionCreate, void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
         TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0 && kept_count < KEPT) {
    TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)((TVMFFIObject *)*out + 1);
    kept[kept_count].function = *out;
    kept[kept_count++].safe_call = cell->safe_call;
    cell->safe_call = NULL;
  }
  return status;
}

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  for (size_t i = kept_count; i-- > 0;)  // the latest first: an address may come back
    if (kept[i].function == func) return kept[i].safe_call(func, args, num_args, result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}
