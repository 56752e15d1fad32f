// SPDX-License-Identifier: Apache-2.0
#include "run/hangs.h"

#include <string.h>

enum { AT_FULL_LIMIT = 2, TOGETHER = 6, HALVED_MAX = 4 };
static const uint64_t least_limit_ns = 125000000;

static const char *group_of(const CaseInstance *instance)
{
  return instance->kernel ? instance->kernel->name : instance->test->chapter;
}

static unsigned count_of(const Hangs *hangs, const char *name)
{
  for (size_t i = 0; i < hangs->group_count; ++i)
    if (strcmp(hangs->groups[i].name, name) == 0) return hangs->groups[i].count;
  return 0;
}

uint64_t hangs_limit_ns(const Hangs *hangs, const CaseInstance *instance, uint64_t limit_ns)
{
  if (hangs->budget_ns == 0) return limit_ns;
  unsigned count = count_of(hangs, group_of(instance));
  unsigned halved = count < AT_FULL_LIMIT ? 0 : count - AT_FULL_LIMIT + 1;
  if (halved < hangs->count / TOGETHER) halved = hangs->count / TOGETHER;
  uint64_t limit = limit_ns >> (halved < HALVED_MAX ? halved : HALVED_MAX);
  uint64_t left = hangs_used_up(hangs) ? 0 : hangs->budget_ns - hangs->spent_ns;
  if (limit > left) limit = left;
  if (limit < least_limit_ns) limit = least_limit_ns;
  return limit < limit_ns ? limit : limit_ns;
}

void hangs_add(Hangs *hangs, const CaseInstance *instance, uint64_t duration_ns)
{
  const char *name = group_of(instance);
  size_t at = 0;
  hangs->spent_ns += duration_ns;
  ++hangs->count;
  while (at < hangs->group_count && strcmp(hangs->groups[at].name, name) != 0) ++at;
  if (at == HANGS_GROUPS_MAX) return;
  if (at == hangs->group_count) hangs->groups[hangs->group_count++].name = name;
  ++hangs->groups[at].count;
}

void hangs_charge(Hangs *hangs, uint64_t duration_ns)
{
  hangs->spent_ns += duration_ns;
}

bool hangs_used_up(const Hangs *hangs)
{
  return hangs->budget_ns && hangs->spent_ns >= hangs->budget_ns;
}
