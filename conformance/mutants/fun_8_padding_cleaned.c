// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_8, "the callback sees its arguments with clean padding")

enum { MOST = 64 };

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index != kTVMFFISmallStr && args[i].type_index != kTVMFFISmallBytes)
      copy[i].zero_padding = 0;
  }
  return REFERENCE(FunctionCall)(func, copy, num_args, result);
}
