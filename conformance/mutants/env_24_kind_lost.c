// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_24, "an error that an allocator reports becomes a RuntimeError")
OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (!raised) return status;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)raised + 1);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", cell->message.data);
  TVMFFIObjectDecRef(raised);
  return status;
}
