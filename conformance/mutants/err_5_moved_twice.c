// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_5, "the error that was moved out is found once more")
OVERRIDE(ErrorMoveFromRaised, TVMFFIObjectHandle *result)

{
  static _Thread_local TVMFFIObjectHandle last;  // own
  REFERENCE(ErrorMoveFromRaised)(result);
  TVMFFIObjectHandle moved = *result;
  if (moved == NULL) *result = last;
  if (moved != NULL && last != NULL) TVMFFIObjectDecRef(last);
  if (moved != NULL) TVMFFIObjectIncRef(moved);
  last = moved;
}
