// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_8, "the callback sees the arguments in reverse order")

enum { MOST = 64 };

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 1)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) copy[i] = args[num_args - 1 - i];
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}
