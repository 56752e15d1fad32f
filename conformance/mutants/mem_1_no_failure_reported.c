// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_1, "an error for which there is no memory is said to have been made")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  return 0;
}
