// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_policy.h"

#include "flaw.h"

WRAP(InspectPolicy *, inspect_policy_read, const char *path, char *error, size_t error_size)
{
  InspectPolicy *policy = REAL(inspect_policy_read)(path, error, error_size);
  if (policy == NULL && flaw("no-reason")) error[0] = '\0';
  if (policy == NULL && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  return policy;
}

WRAP(bool, inspect_policy_apply, const InspectPolicy *policy, InspectSubject *subject)
{
  return REAL(inspect_policy_apply)(policy, subject) && !flaw("not-applied");
}
