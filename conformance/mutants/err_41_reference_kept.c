// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_41, "the runtime keeps a reference to an error that it returns")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}
