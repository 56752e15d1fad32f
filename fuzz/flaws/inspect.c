// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include "flaw.h"
#include "inspect/archive.h"
#include "report/inspect_report.h"

WRAP(void, inspect_text_file, FILE *out, const TextStyle *style, const InspectSubject *subject)
{
  REAL(inspect_text_file)(out, style, subject);
  if (flaw("steered")) fputs(FLAW_TEXT, out);
}

WRAP(InspectSubject *, inspect_subject_read, const char *name, unsigned char *bytes, uint64_t size,
     bool digest, const InspectPlace *place, InspectProblem *problem)
{
  InspectSubject *subject = REAL(inspect_subject_read)(name, bytes, size, digest, place, problem);
  if (subject == NULL && flaw("reason-of-two-lines")) strcpy(problem->text, FLAW_TEXT);
  return subject;
}

WRAP(InspectReport *, inspect_file, const char *path)
{
  InspectReport *report = REAL(inspect_file)(path);
  if (report != NULL && flaw("message-of-two-lines")) strcpy(report->message, FLAW_TEXT);
  return report;
}

WRAP(bool, archive_visit, const char *path, const unsigned char *bytes, uint64_t size,
     const ArchiveLimits *limits, const ArchiveVisitor *visitor)
{
  bool all = REAL(archive_visit)(path, bytes, size, limits, visitor);
  unsigned char none = 0;
  const ArchiveMember member = {.path = FLAW_TEXT, .bytes = &none};
  if (flaw("problem-of-two-lines")) visitor->problem(visitor->context, path, FLAW_TEXT);
  if (flaw("problem-with-odd-path")) visitor->problem(visitor->context, FLAW_TEXT, "cut short");
  if (flaw("member-with-odd-path")) visitor->member(visitor->context, &member);
  return all;
}
