// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_16, "the message of an error that is made is not copied")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0 && message->size > 0)
    ((TVMFFIErrorCell *)((TVMFFIObject *)*out + 1))->message = *message;
  return status;
}
