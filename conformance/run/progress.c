// SPDX-License-Identifier: Apache-2.0
#include "run/progress.h"

#include <stdlib.h>

#include "plan/case.h"

enum { SLOW_GROUPS_MOST = 2 };

static size_t next_applicable(const Plan *plan, size_t from)
{
  while (from < plan->count && plan->items[from].skip[0]) ++from;
  return from;
}

void progress_give(Progress *progress, size_t item, Outcome outcome)
{
  if (!progress->sink(progress->context, item, &outcome)) progress->stopped = true;
}

bool progress_has_more(const Progress *progress)
{
  return progress->again_count > 0 ||
         next_applicable(progress->plan, progress->next) < progress->plan->count;
}

static const char *lack_of(const Progress *progress, const CaseInstance *instance)
{
  return case_lack(instance, served_has(&progress->served, instance->kernel));
}

// How many items, this one and those behind it, run in one process. Where that took too long a few times, none do any
// more.
static size_t count_together(const Progress *progress, size_t item)
{
  const Plan *plan = progress->plan;
  const PlanItem *first = &plan->items[item];
  size_t count = 1;
  const Kernel *kernel = first->instance->kernel;
  if (!first->shares || progress->slow_groups == SLOW_GROUPS_MOST || (kernel && kernel->launches))
    return 1;
  for (; count < EVIDENCE_ROWS_MAX && item + count < plan->count; ++count) {
    const PlanItem *next = &plan->items[item + count];
    if (next->index != first->index + count || next->skip[0] ||
        next->instance->test != first->instance->test || next->instance->kernel != kernel ||
        lack_of(progress, next->instance))
      break;
  }
  return count;
}

Together progress_next(Progress *progress, bool apart)
{
  const Plan *plan = progress->plan;
  if (progress->stopped) return (Together){0, 0};
  if (progress->again_count) return progress->again[--progress->again_count];
  for (size_t item; (item = next_applicable(plan, progress->next)) < plan->count;) {
    if (progress->stopped) break;
    const CaseInstance *instance = plan->items[item].instance;
    const char *lack = lack_of(progress, instance);
    const Together next = {item, lack || apart ? 1 : count_together(progress, item)};
    progress->next = item + next.count;
    if (!lack) return next;
    progress_give(progress, item, observe_lack(lack, instance->test->unconcerned));
  }
  return (Together){0, 0};
}

static void run_again(Progress *progress, Together items)
{
  Together *more = realloc(progress->again, (progress->again_count + 1) * sizeof *more);
  if (more) progress->again = more;
  if (more) more[progress->again_count++] = items;
  for (size_t i = 0; !more && i < items.count; ++i)
    progress_give(progress, items.first + i, observe_lost("out of memory"));
}

bool progress_give_rows(Progress *progress, Together items, const Outcome *whole,
                        const ObservedRows *rows)
{
  const size_t next = items.first + rows->passed, behind = items.first + items.count;
  const bool lacks = rows->first_lacks || rows->passed > 0;
  for (size_t i = behind; !lacks && i-- > next + 1;) run_again(progress, (Together){i, 1});
  if (lacks && next + 1 < behind) run_again(progress, (Together){next + 1, behind - next - 1});
  if (next < behind && !rows->first_lacks) run_again(progress, (Together){next, 1});
  for (size_t i = 0; i < rows->passed; ++i)
    progress_give(progress, items.first + i, observe_row(whole, items.count, rows->held[i]));
  if (rows->first_lacks) progress_give(progress, items.first, *whole);
  return rows->first_lacks;
}

void progress_give_up(Progress *progress, Outcome outcome)
{
  for (; progress->again_count && !progress->stopped; --progress->again_count) {
    const Together last = progress->again[progress->again_count - 1];
    for (size_t i = 0; i < last.count; ++i) progress_give(progress, last.first + i, outcome);
  }
  for (size_t item; !progress->stopped && (item = next_applicable(progress->plan, progress->next)) <
                                              progress->plan->count;
       progress->next = item + 1)
    progress_give(progress, item, outcome);
}

void progress_free(Progress *progress)
{
  served_free(&progress->served);
  free(progress->again);
}
