// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_16, "the byte behind a kind is read, to see whether a NUL is there already")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  if (kind->data != NULL) (void)*(const volatile char *)(kind->data + kind->size);
  return REFERENCE(ErrorCreate)(kind, message, backtrace, out);
}
