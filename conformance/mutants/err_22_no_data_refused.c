// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_22, "NULL data is refused as a backtrace")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  if (backtrace->data != NULL) return REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no backtrace");
  return -1;
}
