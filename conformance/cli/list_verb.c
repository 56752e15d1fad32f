// SPDX-License-Identifier: Apache-2.0
// `list`: the cases and clauses that the suite has.
#include <stdio.h>
#include <stdlib.h>

#include "cli/clause_words.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "plan/plan.h"

static size_t list_cases(const Options *options)
{
  size_t total, shown = 0;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) {
    if (!plan_selects(&options->selection, &all[i])) continue;
    char since[16] = "2025-09";
    if (all[i].since) abi_version_text(all[i].since, since);
    printf("%-64s %-9s %-7s %-12s  %s", all[i].id, clause_level_name(all[i].level), since,
           clause_generation_names(all[i].since, all[i].until), clause_scope_name(all[i].scope));
    for (int c = 0; c < CASE_CLAUSES_MAX && all[i].test->clauses[c] != CLAUSE_NONE; ++c)
      printf("  %s", clause_get(all[i].test->clauses[c])->id);
    printf("\n");
    ++shown;
  }
  return shown;
}

static size_t list_clauses(const Options *options)
{
  size_t shown = 0;
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    if (!plan_selects_clause(&options->selection, (ClauseId)id)) continue;
    printf(
        "%-8s %-11s %-8s %-12s  %s\n", clause->id, clause_level_name(clause->level),
        clause->since ? clause->since : "-",
        clause->since ? clause_generation_names(clause->since_number, clause->until_number) : "-",
        clause->title);
    ++shown;
  }
  return shown;
}

// One line a case: its id, and the clauses it cites, each with the digest of its text.
static size_t list_pins(const Options *options)
{
  size_t total, shown = 0;
  const CaseInstance *all = case_registry(&total);
  for (size_t i = 0; i < total; ++i) {
    if (!plan_selects(&options->selection, &all[i])) continue;
    printf("%s", all[i].id);
    for (int c = 0; c < CASE_CLAUSES_MAX && all[i].test->clauses[c] != CLAUSE_NONE; ++c) {
      const Clause *clause = clause_get(all[i].test->clauses[c]);
      printf(" %s=%016llx", clause->id, (unsigned long long)clause->digest);
    }
    printf("\n");
    ++shown;
  }
  return shown;
}

int verb_list(const Options *options)
{
  char *problem = complain_of_globs(options, NULL);
  size_t shown = problem            ? 0
                 : options->clauses ? list_clauses(options)
                 : options->pins    ? list_pins(options)
                                    : list_cases(options);
  if (shown) return complain_of_output("text");
  if (!problem) problem = complain_of_nothing(options);
  complain("%s", problem ? problem : "out of memory");
  free(problem);
  return EXIT_USAGE;
}
