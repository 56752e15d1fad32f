// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_4, "of two pieces of memory for an error the first is kept if there is no second")
OVERRIDE(ErrorCreate, const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  void *piece = malloc(message->size + 1);
  int status = piece ? REFERENCE(ErrorCreate)(kind, message, backtrace, out) : -1;
  if (status == 0) free(piece);
  return status;
}
