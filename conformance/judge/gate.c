// SPDX-License-Identifier: Apache-2.0
#include "judge/gate.h"

#include <fnmatch.h>

bool gate_rule_is_about(const GateRule *rule, const Clause *clause)
{
  if (rule->clauses) return fnmatch(rule->clauses, clause->id, FNM_CASEFOLD) == 0;
  return fnmatch(rule->chapter, clause->chapter, 0) == 0;
}

bool gate_counts_clause(const Gate *gate, const Clause *clause)
{
  if (clause->level == CLAUSE_UNSPECIFIED) return false;
  for (size_t i = gate->rule_count; i-- > 0;)
    if (gate_rule_is_about(&gate->rules[i], clause))
      return !gate->rules[i].nothing && clause->level <= gate->rules[i].level;
  return clause->level <= gate->level;
}

bool gate_counts_case(const Gate *gate, const CaseInstance *instance)
{
  const ClauseId *clauses = instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i)
    if (gate_counts_clause(gate, clause_get(clauses[i]))) return true;
  return false;
}

const char *gate_name(const Gate *gate)
{
  static const char *const names[] = {
      [CLAUSE_MUST] = "must", [CLAUSE_SHOULD] = "should", [CLAUSE_HARDENING] = "hardening"};
  return gate->name ? gate->name : names[gate->level];
}
