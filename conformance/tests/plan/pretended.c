// SPDX-License-Identifier: Apache-2.0
#include "pretended.h"

#include <stdio.h>
#include <string.h>

#include "plan/signature_kinds.h"
#include "signature/type_name.h"
#include "unit/unit.h"

bool pretended_call(void *context, const Kernel *call, ProbeAnswer *answer)
{
  Asked *asked = context;
  ++asked->calls;
  const char *refusal = asked->function(call);
  answer->code = refusal && strcmp(refusal, SIGNATURE_PROBE_IDLE) != 0 ? -1 : 0;
  answer->outcome = answer->code == 0 && asked->outcome ? asked->outcome(call) : 0;
  answer->written = 0;
  snprintf(answer->message, sizeof answer->message, "%s", refusal ? refusal : "");
  return true;
}

static void search(PretendedSearch *found, const char *types, Asked asked, unsigned most,
                   const InspectWords *words)
{
  *found = (PretendedSearch){.asked = asked};
  found->known = type_name_signature(types);
  ck_assert_ptr_nonnull(found->known);
  signature_take_kinds(found->known, &found->kernel);
  signature_search(&found->kernel, found->known, words, most, pretended_call, &found->asked);
  ck_assert_uint_le(found->asked.calls, most);
}

void pretended_search(PretendedSearch *found, const char *types, Pretended *function, unsigned most,
                      const InspectWords *words)
{
  search(found, types, (Asked){function, 0, NULL}, most, words);
}

static const char *serve(const Kernel *call)
{
  (void)call;
  return NULL;
}

void pretended_search_outcome(PretendedSearch *found, const char *types, PretendedOutcome *outcome)
{
  search(found, types, (Asked){serve, 0, outcome}, PRETENDED_MOST, NULL);
}

bool pretended_is_float(const KernelParameter *tensor, unsigned bits)
{
  return tensor->dtype.code == kDLFloat && tensor->dtype.bits == bits && tensor->dtype.lanes == 1;
}
