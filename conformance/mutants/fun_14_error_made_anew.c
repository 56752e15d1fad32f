// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_14, "the error of a call that failed is made anew, with the same kind and message")
OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)

{
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIObjectHandle raised = NULL, fresh = NULL;
  if (status != 0) TVMFFIErrorMoveFromRaised(&raised);
  if (!raised) return status;
  TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((TVMFFIObject *)raised + 1);
  if (TVMFFIErrorCreate(&cell->kind, &cell->message, backtrace_in(cell), &fresh) == 0) {
    TVMFFIErrorSetRaised(fresh);
    TVMFFIObjectDecRef(fresh);
  }
  TVMFFIObjectDecRef(raised);
  return status;
}
