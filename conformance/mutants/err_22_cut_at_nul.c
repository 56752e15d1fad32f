// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_22, "the message of an error that is made ends at its first NUL")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)

{
  TVMFFIByteArray cut = {message->data, message->data ? strnlen(message->data, message->size) : 0};
  return REFERENCE(ErrorCreate)(kind, &cut, backtrace, out);
}
