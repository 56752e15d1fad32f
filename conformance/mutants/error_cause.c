// SPDX-License-Identifier: Apache-2.0
// Mutants of causes and extra contexts.
#include "mutants/object_body.h"

MUTANT_WITHOUT(ERR_2, no_causes, ErrorCreateWithCauseAndExtraContext,
               "there is no TVMFFIErrorCreateWithCauseAndExtraContext");

MUTANT(ERR_27, raised_becomes_cause, ErrorCreate,
       "the error in the slot becomes the cause of an error that is made")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised == NULL) return status;
  TVMFFIErrorSetRaised(raised);
  if (status == 0)
    error_cell(*out)->cause_chain = raised;
  else
    TVMFFIObjectDecRef(raised);
  return status;
}

MUTANT(ERR_28, context_must_be_an_error, ErrorCreateWithCauseAndExtraContext,
       "an extra context that is not an error is refused")
{
  TVMFFIObject *context = extra_context;
  if (context == NULL || context->type_index == kTVMFFIError)
    return REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                          extra_context, out);
  return fail("TypeError", "the context is not an error");
}

MUTANT(ERR_28, references_taken_over, ErrorCreateWithCauseAndExtraContext,
       "an error takes over the references to its cause and its extra context")
{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status == 0 && cause_chain != NULL) TVMFFIObjectDecRef(cause_chain);
  if (status == 0 && extra_context != NULL) TVMFFIObjectDecRef(extra_context);
  return status;
}

static void (*delete_error)(void *self, int flags);

static void delete_without_cause(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) error_cell(self)->cause_chain = NULL;
  delete_error(self, flags);
}

MUTANT(ERR_29, cause_forgotten, ErrorCreateWithCauseAndExtraContext,
       "an error that dies does not release its cause")
{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status != 0) return status;
  TVMFFIObject *error = *out;
  delete_error = error->deleter;
  error->deleter = delete_without_cause;
  return 0;
}
