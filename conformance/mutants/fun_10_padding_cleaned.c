// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_10, "the padding of a result is cleaned")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (result->type_index != kTVMFFISmallStr && result->type_index != kTVMFFISmallBytes)
    result->zero_padding = 0;
  return status;
}
