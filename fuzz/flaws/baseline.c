// SPDX-License-Identifier: Apache-2.0
#include "flaw.h"
#include "report/inspect_baseline.h"
#include "report/inspect_json.h"

static bool applied;

WRAP(InspectBaseline *, inspect_baseline_read, const char *path, char *error, size_t error_size)
{
  InspectBaseline *baseline = REAL(inspect_baseline_read)(path, error, error_size);
  applied = false;
  if (baseline == NULL && flaw("no-reason")) error[0] = '\0';
  if (baseline == NULL && flaw("reason-of-two-lines")) strcpy(error, "first\nsecond");
  if (baseline == NULL && flaw("reason-steers")) strcpy(error, "\033[2J");
  if (baseline != NULL && flaw("reason-without-cause")) strcpy(error, "cut short");
  return baseline;
}

// A finding that has nothing to do with the report.
static void add_finding(InspectSubject *subject, InspectFindingId id)
{
  inspect_findings_add(&subject->findings, id, (ElfText){0}, "%s", "invented");
}

WRAP(bool, inspect_baseline_apply, InspectBaseline *baseline, InspectSubject *subject)
{
  bool made = REAL(inspect_baseline_apply)(baseline, subject);
  applied = true;
  if (subject->findings.count != 0 && flaw("finding-lost")) --subject->findings.count;
  if (flaw("finding-invented")) add_finding(subject, INSPECT_FINDING_UNIQUE);
  if (flaw("worse-than-unknown")) add_finding(subject, INSPECT_FINDING_BASELINE_EXPORT);
  return made && !flaw("not-applied");
}

WRAP(const char *, inspect_baseline_left, const InspectBaseline *baseline, size_t index)
{
  const char *name = REAL(inspect_baseline_left)(baseline, index);
  return applied && flaw("all-met") ? NULL : name;
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
