// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

// tvm-ffi#592: the cell of an error that older code made ends before its cause.
MUTANT(ERR_11, "raising an error looks for its cause, of whomever the error is")
OVERRIDE(ErrorSetRaised, TVMFFIObjectHandle error)

{
  TVMFFIErrorCell *volatile cell = (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  if (error != NULL) (void)*(void *volatile *)&cell->cause_chain;
  REFERENCE(ErrorSetRaised)(error);
}
