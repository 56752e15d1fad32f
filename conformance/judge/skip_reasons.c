// SPDX-License-Identifier: Apache-2.0
#include "judge/skip_reasons.h"

#include <stdlib.h>
#include <string.h>

static int compare_text(const void *one, const void *other)
{
  const SkipReason *a = one, *b = other;
  int order = strcmp(a->text, b->text);
  return order ? order : (a->first > b->first) - (a->first < b->first);
}

static int compare_first(const void *one, const void *other)
{
  const SkipReason *a = one, *b = other;
  return (a->first > b->first) - (a->first < b->first);
}

// What the official headers do is told apart.
static bool is_skipped(const CaseResult *result)
{
  return result->verdict == VERDICT_SKIP && !result->of_headers;
}

SkipReason *skip_reasons(const RunReport *report, size_t *count)
{
  size_t skipped = 0, merged = 0;
  *count = 0;
  for (size_t i = 0; i < report->result_count; ++i) skipped += is_skipped(&report->results[i]);
  SkipReason *reasons = skipped ? malloc(skipped * sizeof *reasons) : NULL;
  if (!reasons) return NULL;
  skipped = 0;
  for (size_t i = 0; i < report->result_count; ++i)
    if (is_skipped(&report->results[i]))
      reasons[skipped++] = (SkipReason){report->results[i].reason, 1, i};
  qsort(reasons, skipped, sizeof *reasons, compare_text);
  for (size_t i = 0; i < skipped; ++i)
    if (merged && strcmp(reasons[merged - 1].text, reasons[i].text) == 0)
      ++reasons[merged - 1].count;
    else
      reasons[merged++] = reasons[i];
  qsort(reasons, merged, sizeof *reasons, compare_first);
  *count = merged;
  return reasons;
}
