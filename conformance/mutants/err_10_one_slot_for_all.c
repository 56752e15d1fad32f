// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIObjectHandle shared;  // own

MUTANT(ERR_10, "an error object that is raised is found by whichever thread looks first")
OVERRIDE(ErrorMoveFromRaised, TVMFFIObjectHandle *result)

{
  *result = __atomic_exchange_n(&shared, NULL, __ATOMIC_ACQ_REL);
  if (*result == NULL) REFERENCE(ErrorMoveFromRaised)(result);
}

OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  REFERENCE(ErrorSetRaised)(error);
  TVMFFIObjectHandle raised = NULL;
  REFERENCE(ErrorMoveFromRaised)(&raised);
  TVMFFIObjectHandle earlier = __atomic_exchange_n(&shared, raised, __ATOMIC_ACQ_REL);
  if (earlier != NULL) TVMFFIObjectDecRef(earlier);
}
