// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_21, "an error that is made is raised as well")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status == 0) TVMFFIErrorSetRaised(*out);
  return status;
}
