// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

// tvm-ffi#592: the cell of an error that older code made ends before its cause.
MUTANT(ERR_11, "raising an error looks for its cause, of whomever the error is")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  char *volatile cell = (char *)((TVMFFIObject *)error + 1);
  if (error != NULL) (void)*(void *volatile *)(void *)(cell + 56);
  REFERENCE(ErrorSetRaised)(error);
}
