// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_10, "a result that is a view is taken for a mistake and becomes None")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0 && result->type_index >= kTVMFFIDLTensorPtr &&
      result->type_index <= kTVMFFIObjectRValueRef)
    memset(result, 0, sizeof *result);
  return status;
}
