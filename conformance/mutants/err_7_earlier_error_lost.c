// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_7, "the earlier error is not released when C strings are raised")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  TVMFFIObjectHandle lost = NULL;
  TVMFFIErrorMoveFromRaised(&lost);
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
}
