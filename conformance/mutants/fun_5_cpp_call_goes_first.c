// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_5, "what stands behind the safe call in the cell is called first if it is not NULL")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  const TVMFFIFunctionCell *cell = (const TVMFFIFunctionCell *)((TVMFFIObject *)func + 1);
  TVMFFISafeCallType call;
  memcpy(&call, (const char *)cell + 8, sizeof call);
  if (!call) return REFERENCE(FunctionCall)(func, args, num_args, result);
  return call(func, args, num_args, result);
}
