// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_6, "raising takes over the reference of the caller")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  REFERENCE(ErrorSetRaised)(error);
  if (error != NULL) TVMFFIObjectDecRef(error);
}
