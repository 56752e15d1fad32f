// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_26, "a shape, a container or a later object is given out as an object of the root type")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  int32_t type_index = result->type_index;
  if (status == 0 && type_index > kTVMFFIFunction && type_index < kTVMFFIDynObjectBegin)
    result->type_index = kTVMFFIObject;
  return status;
}
