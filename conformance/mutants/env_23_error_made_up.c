// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_23, "an allocator that fails without an error gets one")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised) {
    TVMFFIErrorSetRaised(raised);
    TVMFFIObjectDecRef(raised);
  } else {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the allocator failed");
  }
  return status;
}
