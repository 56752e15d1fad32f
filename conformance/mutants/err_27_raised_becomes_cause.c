// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

MUTANT(ERR_27, "the error in the slot becomes the cause of an error that is made")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised == NULL) return status;
  TVMFFIErrorSetRaised(raised);
  if (status == 0)
    cell_of(*out)->cause_chain = raised;
  else
    TVMFFIObjectDecRef(raised);
  return status;
}
