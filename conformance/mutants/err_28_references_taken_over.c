// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_28, "an error takes over the references to its cause and its extra context")
OVERRIDE(ErrorCreateWithCauseAndExtraContext, const TVMFFIByteArray *kind,
         const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
         TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)

{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status == 0 && cause_chain != NULL) TVMFFIObjectDecRef(cause_chain);
  if (status == 0 && extra_context != NULL) TVMFFIObjectDecRef(extra_context);
  return status;
}
