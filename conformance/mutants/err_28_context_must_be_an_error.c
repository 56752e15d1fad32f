// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_28, "an extra context that is not an error is refused")
OVERRIDE(ErrorCreateWithCauseAndExtraContext, const TVMFFIByteArray *kind,
         const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
         TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out)

{
  TVMFFIObject *context = extra_context;
  if (context == NULL || context->type_index == kTVMFFIError)
    return REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                          extra_context, out);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "the context is not an error");
  return -1;
}
