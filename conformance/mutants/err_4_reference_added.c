// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_4, "moving gives the caller a reference, and forgets that of the slot")
OVERRIDE(ErrorMoveFromRaised, TVMFFIObjectHandle *result)

{
  REFERENCE(ErrorMoveFromRaised)(result);
  if (*result != NULL) TVMFFIObjectIncRef(*result);
}
