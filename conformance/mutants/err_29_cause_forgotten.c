// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static TVMFFIErrorCell *cell_of(TVMFFIObjectHandle error)
{
  return (TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
}

static void (*delete_error)(void *self, int flags);

static void delete_without_cause(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) cell_of(self)->cause_chain = NULL;
  delete_error(self, flags);
}

MUTANT(ERR_29, "an error that dies does not release its cause")
OVERRIDE(ErrorCreateWithCauseAndExtraContext, const TVMFFIByteArray *kind,
         const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
         TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status != 0) return status;
  TVMFFIObject *error = *out;
  delete_error = error->deleter;
  error->deleter = delete_without_cause;
  return 0;
}
