// SPDX-License-Identifier: Apache-2.0
#include "report/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"

const char *facts_base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

bool facts_has_version(const RunReport *report)
{
  return report->reported_version != 0 && report->reported_version != UINT32_MAX;
}

static bool is_of_2025_09(const RunReport *report)
{
  return strcmp(report->generation, abi_generation_name(ABI_GENERATION_2025_09)) == 0;
}

const char *facts_function_name(const RunReport *report, AbiFunctionId function)
{
  if (is_of_2025_09(report)) return abi_function_symbol_2025_09(function);
  const AbiFunction *known = &abi_functions[function];
  return known->since <= report->reported_version ? known->symbol : NULL;
}

static bool is_exported(const RunReport *report, AbiFunctionId function)
{
  const char *name = facts_function_name(report, function);
  bool same = name && strcmp(name, abi_functions[function].symbol) == 0;
  return same ? report->library->exports[function] : report->library->former_exports[function];
}

unsigned facts_functions_known(const RunReport *report)
{
  unsigned known = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    known += facts_function_name(report, (AbiFunctionId)i) != NULL;
  return known;
}

unsigned facts_functions_present(const RunReport *report)
{
  unsigned present = 0;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    present +=
        facts_function_name(report, (AbiFunctionId)i) && is_exported(report, (AbiFunctionId)i);
  return present;
}

bool facts_function_missing(const RunReport *report, AbiFunctionId function)
{
  return facts_function_name(report, function) && !is_exported(report, function);
}

const char *facts_sanitizer_name(unsigned bit)
{
  switch (bit) {
    case INSPECT_ADDRESS_SANITIZER:
      return "address";
    case INSPECT_THREAD_SANITIZER:
      return "thread";
    case INSPECT_MEMORY_SANITIZER:
      return "memory";
    default:
      return "undefined";
  }
}

size_t facts_failures(const Outcome *outcome)
{
  if (!outcome->evidence) return 0;
  return outcome->failed < EVIDENCE_FAILURES_MAX ? outcome->failed : EVIDENCE_FAILURES_MAX;
}

bool facts_is_probed(const CaseResult *result)
{
  const Kernel *kernel = result->instance->kernel;
  return kernel && kernel->source == KERNEL_PROBED;
}

bool facts_is_grouped(const CaseResult *result)
{
  return result->instance->kernel &&
         (result->verdict == VERDICT_PASS || result->verdict == VERDICT_SKIP || result->of_headers);
}

// Results come from one array, so that their addresses are in the order of the run.
static int compare_members(const void *one, const void *other)
{
  const CaseResult *a = *(const CaseResult *const *)one, *b = *(const CaseResult *const *)other;
  if (a->instance->test != b->instance->test) return a->instance->test < b->instance->test ? -1 : 1;
  if (a->instance->row != b->instance->row)
    return (const char *)a->instance->row < (const char *)b->instance->row ? -1 : 1;
  if (a->verdict != b->verdict) return a->verdict < b->verdict ? -1 : 1;
  int order = strcmp(a->reason, b->reason);
  return order ? order : (a > b) - (a < b);
}

static bool is_of_group(const CaseResult *a, const CaseResult *b)
{
  return a->instance->test == b->instance->test && a->instance->row == b->instance->row &&
         a->verdict == b->verdict && strcmp(a->reason, b->reason) == 0;
}

static int compare_groups(const void *one, const void *other)
{
  const CaseResult *a = ((const FactsGroup *)one)->results[0];
  const CaseResult *b = ((const FactsGroup *)other)->results[0];
  return (a > b) - (a < b);
}

bool facts_group(const RunReport *report, FactsGroups *groups)
{
  size_t count = 0;
  for (size_t i = 0; i < report->result_count; ++i) count += facts_is_grouped(&report->results[i]);
  *groups = (FactsGroups){calloc(count + 1, sizeof *groups->items), 0,
                          calloc(count + 1, sizeof *groups->members)};
  if (!groups->items || !groups->members) return false;
  count = 0;
  for (size_t i = 0; i < report->result_count; ++i)
    if (facts_is_grouped(&report->results[i])) groups->members[count++] = &report->results[i];
  qsort(groups->members, count, sizeof *groups->members, compare_members);
  for (size_t i = 0; i < count; ++i) {
    FactsGroup *last = groups->count ? &groups->items[groups->count - 1] : NULL;
    if (last && is_of_group(last->results[0], groups->members[i]))
      ++last->count;
    else
      groups->items[groups->count++] = (FactsGroup){&groups->members[i], 1};
  }
  qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
  return true;
}

void facts_groups_free(FactsGroups *groups)
{
  free(groups->items);
  free(groups->members);
  *groups = (FactsGroups){NULL, 0, NULL};
}

const char *facts_function(const CaseInstance *instance)
{
  const char *at = strchr(instance->id, '@');
  return at ? at + 1 : "";
}

char *facts_case_id(const CaseInstance *instance, char id[CASE_ID_MAX])
{
  snprintf(id, CASE_ID_MAX, "%.*s", (int)strcspn(instance->id, "@"), instance->id);
  return id;
}

size_t facts_program(const CaseResult *result, const char **program)
{
  const Evidence *evidence = result->outcome.evidence;
  bool failed = result->verdict == VERDICT_FAIL || result->verdict == VERDICT_XFAIL;
  *program = "";
  // The evidence of a case in which nothing failed has no text.
  const bool sealed = result->outcome.kind == OUTCOME_SEALED && result->outcome.failed == 0;
  if (!failed || !evidence || sealed || !result->instance->test->about_module) return 0;
  *program = evidence->text;
  return strnlen(evidence->text, sizeof evidence->text);
}

char *facts_headline(const CaseResult *result)
{
  if (result->reason[0]) return clean_array(result->reason, 0);
  if (result->verdict == VERDICT_XPASS)
    return clean_string("passed, but a waiver expects it to fail", 0);
  if (facts_failures(&result->outcome) == 0) return clean_string("an expectation failed", 0);
  const EvidenceFailure *failure = &result->outcome.evidence->failures[0];
  char line[sizeof failure->what + sizeof failure->expected + sizeof failure->seen + 32];
  int what = (int)strnlen(failure->what, sizeof failure->what);
  snprintf(line, sizeof line, "%.*s%sexpected %.*s, actual %.*s", what, failure->what,
           what ? ": " : "", (int)sizeof failure->expected, failure->expected,
           (int)sizeof failure->seen, failure->seen);
  return clean_string(line, 0);
}
