// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_3, "the output is not written when nothing is raised")
OVERRIDE(ErrorMoveFromRaised, TVMFFIObjectHandle *result)

{
  TVMFFIObjectHandle error = NULL;
  REFERENCE(ErrorMoveFromRaised)(&error);
  if (error != NULL) *result = error;
}
