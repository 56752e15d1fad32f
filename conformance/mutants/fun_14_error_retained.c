// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_14, "looking at the error of a call that failed adds a reference to it")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIObjectHandle raised = NULL;
  if (status != 0) TVMFFIErrorMoveFromRaised(&raised);
  if (raised) TVMFFIErrorSetRaised(raised);
  return status;
}
