// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_15, "a callback that fails without an error gets one")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised) {
    TVMFFIErrorSetRaised(raised);
    TVMFFIObjectDecRef(raised);
  } else {
    TVMFFIErrorSetRaisedFromCStr("InternalError", "the function failed without an error");
  }
  return status;
}
