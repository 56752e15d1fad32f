// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_cause.h"

#include <ctype.h>
#include <string.h>

#include "clause.h"

bool fuzz_cause_is_open(const FuzzAspect *aspect)
{
  const Clause *clause = clause_get(aspect->clause);
  return clause && clause->level == CLAUSE_UNSPECIFIED;
}

ClauseId fuzz_cause_clause(const FuzzSurface *surface, const FuzzFinding *finding)
{
  const FuzzAspect *aspect = &surface->aspects[finding->aspect];
  for (unsigned i = 0; i < surface->class_clause_count; ++i) {
    const FuzzClassClause *all = &surface->class_clauses[i];
    if (all->class == finding->class && all->due == aspect->due) return all->clause;
  }
  return aspect->clause;
}

// Whether two texts are the same but for their numbers.
static bool says_the_same(const char *one, const char *other)
{
  while (*one || *other) {
    while (isxdigit((unsigned char)*one)) ++one;
    while (isxdigit((unsigned char)*other)) ++other;
    if (*one != *other) return false;
    if (*one) ++one, ++other;
  }
  return true;
}

bool fuzz_cause_is_same(const FuzzSurface *surface, const FuzzFinding *one,
                        const FuzzFinding *other)
{
  const unsigned stateful = surface->stateful;
  if (!one->before != !other->before) return false;
  if (one->before && stateful && one->aspect == stateful && other->aspect == stateful) return true;
  if (one->class != other->class) return false;
  const FuzzAspect *aspects = surface->aspects;
  if (one->before)
    return !surface->stateful || aspects[one->aspect].clause == aspects[other->aspect].clause;
  if (one->class == FUZZ_CRASH && (one->where[0] || other->where[0]))
    return strcmp(one->where, other->where) == 0;
  if (one->aspect == other->aspect) return true;
  if (one->class == FUZZ_HANG && one->where[0] && strcmp(one->where, other->where) == 0)
    return true;
  if (one->class == FUZZ_ERROR && says_the_same(one->seen, other->seen)) return true;
  // Each number that announces too much is read in a place of its own.
  bool sized = aspects[one->aspect].sized && aspects[other->aspect].sized;
  if (one->class == FUZZ_CRASH || (one->class == FUZZ_MEMORY && sized)) return false;
  return fuzz_cause_clause(surface, one) == fuzz_cause_clause(surface, other);
}

// Whether the first aspect is the other one with less that is special.
static bool is_general(const FuzzSurface *surface, unsigned one, unsigned other)
{
  return surface->general && surface->general[other] && surface->general[other] == one;
}

bool fuzz_cause_is_simpler(const FuzzSurface *surface, unsigned one, unsigned other)
{
  static const unsigned ranks[] = {
      [FUZZ_DUE_ACCEPT] = 0, [FUZZ_DUE_REFUSE] = 1, [FUZZ_DUE_EITHER] = 2};
  const FuzzAspect *aspects = surface->aspects;
  const unsigned of_inputs = surface->of_inputs;
  if (is_general(surface, one, other)) return true;
  if (of_inputs && (one >= of_inputs || other >= of_inputs)) return false;
  unsigned rank = ranks[aspects[one].due], bound = ranks[aspects[other].due];
  return rank < bound || (rank == bound && rank == 0 && one < other);
}

bool fuzz_cause_follows(const FuzzSurface *surface, unsigned aspect, unsigned cause)
{
  for (unsigned i = 0; i < surface->follows_count; ++i)
    if (surface->follows[i].aspect == aspect && surface->follows[i].cause == cause) return true;
  return false;
}

bool fuzz_cause_is_other_fault(const FuzzSurface *surface, unsigned one, unsigned other)
{
  const unsigned of_inputs = surface->of_inputs;
  if (of_inputs == 0 || one >= of_inputs || other >= of_inputs) return false;
  return surface->aspects[one].due == FUZZ_DUE_REFUSE &&
         surface->aspects[other].due == FUZZ_DUE_REFUSE;
}

bool fuzz_cause_may_drift(const FuzzSurface *surface, const FuzzFinding *finding)
{
  if (surface->drifts) return true;
  return finding->class == FUZZ_MEMORY && !surface->aspects[finding->aspect].sized;
}

bool fuzz_cause_is_wanted(const FuzzSurface *surface, const FuzzFinding *wanted,
                          const FuzzFinding *shown)
{
  // What comes back at several times the limit may say itself that it was slow.
  if (wanted->class == FUZZ_HANG && shown->class == FUZZ_SLOW)
    return shown->aspect == wanted->aspect;
  if (shown->class != wanted->class) return false;
  if (fuzz_cause_may_drift(surface, wanted)) return true;
  // What was accepted in part, since a loader failed, say, may be accepted as a whole.
  bool in_part = surface->in_part && wanted->aspect == surface->in_part;
  if (in_part && shown->aspect < surface->of_inputs) return true;
  bool placed = wanted->class == FUZZ_CRASH && (wanted->where[0] || shown->where[0]);
  if (placed && strcmp(wanted->where, shown->where) != 0) return false;
  return shown->aspect == wanted->aspect ||
         (placed && fuzz_cause_is_other_fault(surface, shown->aspect, wanted->aspect)) ||
         (placed && surface->beyond && shown->aspect == surface->beyond) ||
         fuzz_cause_is_simpler(surface, shown->aspect, wanted->aspect);
}
