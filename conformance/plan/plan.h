// SPDX-License-Identifier: Apache-2.0
// Which cases apply to this library, and why the others do not.
#ifndef TVMFFI_CONFORMANCE_PLAN_PLAN_H_
#define TVMFFI_CONFORMANCE_PLAN_PLAN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inspect/inspect.h"
#include "plan/case.h"

// What the user asked for. Strings are borrowed.
typedef struct Selection {
  const char **filters;  // globs over case ids or clause ids; none: everything
  size_t filter_count;
  const char **excludes;
  size_t exclude_count;
  ClauseLevel level;       // cases of this level and of stricter ones
  unsigned scopes;         // CLAUSE_SCOPE_ bits of those that a runtime is judged by; 0: all
  bool scopes_found;       // they were not asked for: the library shows signs of these
  unsigned shard, shards;  // 1-based; 0 of 0: no sharding
  uint64_t shuffle;        // 0: in order
  unsigned repeat;         // how often each case runs; 0 means 1
  // Of a module with more functions so many are tried in full, of the others what MUST clauses say of
  // calls that somebody promised, or that are ruled out; 0: all.
  unsigned in_full;
} Selection;

typedef struct PlanItem {
  const CaseInstance *instance;
  unsigned index;       // into case_registry()
  char skip[160];       // "" if it is to be run, else why not
  bool shares;          // its function is not tried in full: it may run in one process with the
                        // items beside it that are rows of the same case, of the same function
  bool not_applicable;  // it is not for a library such as this one; if it is skipped for another
                        // reason, nobody said what has to be known to run it
} PlanItem;

typedef struct Plan {
  PlanItem *items;  // own; everything selected, in the order it will run
  size_t count;
  size_t applicable;
  size_t sharing;  // functions that share the time, since not all are tried in full; 0: all are
  CaseInstance *bound;  // own; the instances that are bound to a function of a module
  size_t bound_count;
} Plan;

// True if the filters of `selection` pick this case (level, globs; not shard).
bool plan_selects(const Selection *selection, const CaseInstance *instance);

// The same of a clause: as a case would be picked that cites it alone. Clauses of level UNSPECIFIED
// are picked wherever HARDENING is.
bool plan_selects_clause(const Selection *selection, ClauseId id);

// Whether there is a case that the glob matches, of any level and profile, or one that `plan`
// (NULL: none is there yet) has bound to a function of its module.
bool plan_glob_matches(const Plan *plan, const char *glob);

// The plan for a library of `profile` that reports `version`, which is ABI_VERSION_2025_09 for one
// of that generation. NULL if memory is out; count 0 if nothing is selected. A case that does not
// apply is in it with the reason; one of another profile only if it is asked for by a filter.
Plan *plan_make(const Selection *selection, InspectProfile profile, uint32_t version);

// The plan for a module with these functions (borrowed, as long as the plan lives), loaded into a
// runtime that reports `version`: a case per kernel is in it once for each of them.
Plan *plan_make_module(const Selection *selection, const KernelList *kernels, uint32_t version);
void plan_free(Plan *plan);

// Writes up to `capacity` ids (at most 8) that are nearest to `text`, an id or a glob, into `out`:
// cases and clauses, the nearest first. Returns how many; 0 if none is near.
size_t plan_nearest(const char *text, const char *out[], size_t capacity);

// What a case about function `k` is bound to: the function, a call of it that was lost, or one that is made up.
const Kernel *plan_subject(const CaseInstance *instance, const KernelList *kernels, size_t k);

#endif  // TVMFFI_CONFORMANCE_PLAN_PLAN_H_
