// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_32, "a signal without an error gets one")
OVERRIDE(EnvCheckSignals, void)
{
  int status = REFERENCE(EnvCheckSignals)();
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised) {
    TVMFFIErrorSetRaised(raised);
    TVMFFIObjectDecRef(raised);
  } else {
    TVMFFIErrorSetRaisedFromCStr("KeyboardInterrupt", "there was a signal");
  }
  return status;
}
