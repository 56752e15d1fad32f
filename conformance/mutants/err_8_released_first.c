// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_8, "the error in the slot is released before the new one is retained")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  TVMFFIObjectHandle earlier = NULL;
  TVMFFIErrorMoveFromRaised(&earlier);
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
  REFERENCE(ErrorSetRaised)(error);
}
