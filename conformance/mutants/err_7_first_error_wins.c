// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_7, "an error that is in the slot stays when another is raised")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  TVMFFIObjectHandle earlier = NULL;
  TVMFFIErrorMoveFromRaised(&earlier);
  if (earlier == NULL || error == NULL || error == earlier) {
    REFERENCE(ErrorSetRaised)(error);
  } else {
    REFERENCE(ErrorSetRaised)(earlier);
  }
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
}
