// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

MUTANT(ERR_23, "an error raised from C strings can't update its backtrace")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return;
  cell_of(error)->update_backtrace = NULL;
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
}
