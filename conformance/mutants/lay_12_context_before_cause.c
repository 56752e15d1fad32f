// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_12, "the cell of an error has the extra context before the cause")
OVERRIDE(ErrorCreateWithCauseAndExtraContext, const TVMFFIByteArray *kind,
         const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
         TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status == 0) {
    TVMFFIErrorCell *cell = (TVMFFIErrorCell *)((TVMFFIObject *)*out + 1);
    cell->cause_chain = extra_context;
    cell->extra_context = cause_chain;
  }
  return status;
}
