// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_policy.h"

#include "flaw.h"
#include "report/inspect_json.h"

WRAP(InspectPolicy *, inspect_policy_read, const char *path, char *error, size_t error_size)
{
  InspectPolicy *policy = REAL(inspect_policy_read)(path, error, error_size);
  if (policy == NULL && flaw("no-reason")) error[0] = '\0';
  if (policy == NULL && flaw("reason-of-two-lines")) strcpy(error, FLAW_TEXT);
  return policy;
}

WRAP(bool, inspect_policy_apply, const InspectPolicy *policy, InspectSubject *subject)
{
  bool made = REAL(inspect_policy_apply)(policy, subject);
  if (flaw("findings-lost")) subject->findings.count = 0;
  return made && !flaw("not-applied");
}

WRAP(void, inspect_text_file, FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  REAL(inspect_text_file)(out, style, subject);
  if (flaw("steered")) fputs(FLAW_TEXT, out);
}

WRAP(void, inspect_json_file, InspectJson *json, const InspectSubject *subject)
{
  REAL(inspect_json_file)(json, subject);
  if (flaw("no-report")) json->build.failed = true;
}
