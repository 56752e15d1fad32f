// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_17, "the message of an error that is made does not end with a NUL")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) return status;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)*out + 1);
  ((char *)cell->message.data)[cell->message.size] = '#';
  return 0;
}
