// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_9, "raising NULL leaves the slot as it is")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  if (error != NULL) REFERENCE(ErrorSetRaised)(error);
}
