// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_5, "what stands behind the safe call in the cell is called first if it is not NULL")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  const TVMFFIFunctionCell *cell = (const TVMFFIFunctionCell *)((TVMFFIObject *)func + 1);
  if (!cell->cpp_call) return REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFISafeCallType call;
  memcpy(&call, &cell->cpp_call, sizeof call);
  return call(func, args, num_args, result);
}
