// SPDX-License-Identifier: Apache-2.0
#include "battery/tried.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "battery/expect.h"

// The entry of the combination that was begun last, or NULL if there was no room for it.
static EvidenceTried *open_entry;

static bool is_alike(const EvidenceTried *left, const EvidenceTried *right)
{
  return left->promise == right->promise && left->end == right->end &&
         strcmp(left->what, right->what) == 0 && strcmp(left->settled, right->settled) == 0;
}

// Joins the last entry with one that is alike, or forgets it if nothing came of it, and no line
// would change that.
static void settle(Evidence *evidence)
{
  EvidenceTried *last = open_entry;
  open_entry = NULL;
  if (!last || evidence->tried_count == 0) return;
  if (last->end == TRIED_OPEN && !last->settled[0]) {
    --evidence->tried_count;
    return;
  }
  for (EvidenceTried *other = evidence->tried; other < last; ++other) {
    if (!is_alike(other, last)) continue;
    ++other->times;
    --evidence->tried_count;
    return;
  }
}

void tried(TriedPromise promise, const char *format, ...)
{
  Evidence *evidence = expect_recording_into();
  if (!evidence) return;
  settle(evidence);
  if (evidence->tried_count >= EVIDENCE_TRIED_MAX) {
    ++evidence->tried_more;
    return;
  }
  open_entry = &evidence->tried[evidence->tried_count];
  *open_entry = (EvidenceTried){.promise = promise, .end = TRIED_OPEN, .times = 1};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(open_entry->what, sizeof open_entry->what, format, arguments);
  va_end(arguments);
  ++evidence->tried_count;
}

void tried_came_to(TriedEnd end)
{
  if (expect_recording_into() && open_entry) open_entry->end = end;
}

void tried_settled_by(const char *format, ...)
{
  if (!expect_recording_into() || !open_entry) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(open_entry->settled, sizeof open_entry->settled, format, arguments);
  va_end(arguments);
}
