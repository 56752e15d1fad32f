// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_11, "the cell of an error begins with the message")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  return REFERENCE(ErrorCreate)(message, kind, backtrace, out);
}
