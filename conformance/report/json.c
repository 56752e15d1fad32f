// SPDX-License-Identifier: Apache-2.0
// The JSON report; reports/report.schema.json says what is in it. Nothing in it depends on chance,
// on the process or on the machine's memory, so that two runs over the same bytes differ in times
// only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "report/facts.h"
#include "report/json_build.h"
#include "report/report.h"
#include "report/report_shape.h"

static json_t *suite_object(JsonBuild *build)
{
  json_t *object = json_suite(build);
  json_put(build, object, "clauses_digest", json_digest(clause_set_digest()));
  json_put(build, object, "battery_digest", json_digest(case_registry_digest()));
  return object;
}

static json_t *functions_object(JsonBuild *build, const RunReport *report)
{
  json_t *missing = json_array(), *object = json_object();
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    if (facts_function_missing(report, (AbiFunctionId)i))
      json_add(build, missing, json_string(facts_function_name(report, (AbiFunctionId)i)));
  json_put(build, object, "present", json_unsigned(facts_functions_present(report)));
  json_put(build, object, "known", json_unsigned(facts_functions_known(report)));
  json_put(build, object, "missing", missing);
  return object;
}

static json_t *sanitizer_names(JsonBuild *build, unsigned sanitizers)
{
  json_t *array = json_array();
  for (unsigned bit = 1; bit <= INSPECT_UNDEFINED_SANITIZER; bit <<= 1)
    if (sanitizers & bit) json_add(build, array, json_string(facts_sanitizer_name(bit)));
  return array;
}

static json_t *library_object(JsonBuild *build, const RunReport *report)
{
  const InspectReport *library = report->library;
  bool runtime = library->profile == INSPECT_PROFILE_RUNTIME;
  char version[16];
  json_t *object = json_object();
  json_put(build, object, "name", json_clean_string(facts_base_name(library->path)));
  json_put(build, object, "sha256",
           library->sha256[0] ? json_clean_string(library->sha256) : json_null());
  json_put(build, object, "build_id", json_clean_or_null(library->build_id));
  json_put(build, object, "soname", json_clean_or_null(library->soname));
  json_put(build, object, "machine", json_clean_string(library->machine));
  json_put(build, object, "reported_version",
           facts_has_version(report)
               ? json_string(abi_version_text(report->reported_version, version))
               : json_null());
  json_put(build, object, "profile", json_string(report->profile));
  json_put(build, object, "generation", json_string(report->generation));
  json_put(build, object, "functions", runtime ? functions_object(build, report) : json_null());
  json_put(build, object, "sanitizers", sanitizer_names(build, library->sanitizers));
  return object;
}

static json_t *environment_object(JsonBuild *build, const RunReport *report)
{
  struct utsname names;
  bool known = uname(&names) == 0;
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  json_t *object = json_object();
  json_put(build, object, "os", json_clean_string(known ? names.sysname : "unknown"));
  json_put(build, object, "kernel", json_clean_string(known ? names.release : "unknown"));
  json_put(build, object, "machine", json_clean_string(known ? names.machine : "unknown"));
  json_put(build, object, "libc", json_clean_string(report->libc ? report->libc : "unknown"));
  json_put(build, object, "cpus", json_unsigned(cpus > 0 ? (uint64_t)cpus : 1));
  return object;
}

static json_t *globs(JsonBuild *build, const char **texts, size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; ++i) json_add(build, array, json_clean_string(texts[i]));
  return array;
}

static json_t *shard_object(JsonBuild *build, const Selection *selection)
{
  if (selection->shards == 0) return json_null();
  json_t *object = json_object();
  json_put(build, object, "index", json_unsigned(selection->shard));
  json_put(build, object, "count", json_unsigned(selection->shards));
  return object;
}

static json_t *selection_object(JsonBuild *build, const RunReport *report)
{
  static const Selection everything = {.level = CLAUSE_HARDENING};
  const Selection *selection = report->selection ? report->selection : &everything;
  json_t *object = json_object();
  json_put(build, object, "filters", globs(build, selection->filters, selection->filter_count));
  json_put(build, object, "excludes", globs(build, selection->excludes, selection->exclude_count));
  json_put(build, object, "level", json_string(clause_level_name(selection->level)));
  json_put(build, object, "strict", json_boolean(report->gate.level >= CLAUSE_SHOULD));
  json_put(build, object, "shard", shard_object(build, selection));
  // A seed has 64 bits; as a number, many readers would round it.
  json_put(build, object, "shuffle",
           selection->shuffle ? json_sprintf("%llu", (unsigned long long)selection->shuffle)
                              : json_null());
  json_put(build, object, "repeat", json_unsigned(selection->repeat ? selection->repeat : 1));
  return object;
}

static json_t *standing_pair(JsonBuild *build, unsigned holds, unsigned judged)
{
  json_t *object = json_object();
  json_put(build, object, "holds", json_unsigned(holds));
  json_put(build, object, "judged", json_unsigned(judged));
  return object;
}

// Of all scopes together.
static ClauseCounts counts_of_level(const RunVerdict *verdict, ClauseLevel level)
{
  ClauseCounts sum = {0};
  for (size_t scope = 0; scope < VERDICT_SCOPES; ++scope) {
    const ClauseCounts *counts = &verdict->counts[scope][level];
    sum.applicable += counts->applicable;
    sum.judged += counts->judged;
    sum.holds += counts->holds;
  }
  return sum;
}

static json_t *totals_object(JsonBuild *build, const RunReport *report)
{
  const RunTotals *totals = &report->totals;
  ClauseCounts must = counts_of_level(&report->verdict, CLAUSE_MUST);
  ClauseCounts should = counts_of_level(&report->verdict, CLAUSE_SHOULD);
  json_t *object = json_object();
  json_put(build, object, "cases", json_unsigned(totals->cases));
  json_put(build, object, "run", json_unsigned(totals->run));
  json_put(build, object, "not_run", json_unsigned(totals->not_run));
  for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
    json_put(build, object, judge_verdict_name((Verdict)verdict),
             json_unsigned(totals->by_verdict[verdict]));
  json_put(build, object, "crashed", json_unsigned(totals->crashed));
  json_put(build, object, "exited", json_unsigned(totals->exited));
  json_put(build, object, "timed_out", json_unsigned(totals->timed_out));
  json_put(build, object, "warnings", json_unsigned(totals->warnings));
  json_put(build, object, "skip_reasons", json_unsigned(totals->skip_reasons));
  json_put(build, object, "must_clauses", standing_pair(build, must.holds, must.judged));
  json_put(build, object, "should_clauses", standing_pair(build, should.holds, should.judged));
  return object;
}

static json_t *clause_counts(JsonBuild *build, const ClauseCounts *counts)
{
  json_t *object = standing_pair(build, counts->holds, counts->judged);
  json_put(build, object, "applicable", json_unsigned(counts->applicable));
  return object;
}

static json_t *scope_array(JsonBuild *build, const RunVerdict *verdict)
{
  static const char *const keys[VERDICT_LEVELS] = {
      [CLAUSE_MUST] = "must", [CLAUSE_SHOULD] = "should", [CLAUSE_HARDENING] = "hardening"};
  json_t *array = json_array();
  for (size_t scope = 0; scope < VERDICT_SCOPES; ++scope) {
    if (!verdict_has_scope(verdict, scope)) continue;
    json_t *object = json_object();
    json_put(build, object, "scope", json_string(clause_scope_name(verdict_scopes[scope])));
    for (int level = 0; level < VERDICT_LEVELS; ++level)
      json_put(build, object, keys[level], clause_counts(build, &verdict->counts[scope][level]));
    json_add(build, array, object);
  }
  return array;
}

static json_t *coverage_object(JsonBuild *build, const RunReport *report)
{
  json_t *object = json_object();
  json_put(build, object, "judged", json_unsigned(report->verdict.must.judged));
  json_put(build, object, "applicable", json_unsigned(report->verdict.must.applicable));
  json_put(build, object, "percent", json_unsigned(report->verdict.percent));
  json_put(build, object, "min_percent", json_unsigned(report->min_judged));
  return object;
}

static json_t *gate_object(JsonBuild *build, const Gate *gate)
{
  json_t *object = json_object();
  json_put(build, object, "name", json_clean_string(gate_name(gate)));
  json_put(build, object, "level", json_string(clause_level_name(gate->level)));
  json_put(build, object, "reason", json_clean_or_null(gate->reason));
  json_put(build, object, "rules", json_unsigned(gate->rule_count));
  return object;
}

static json_t *known_object(JsonBuild *build, const RunReport *report)
{
  json_t *object = json_object();
  json_put(build, object, "release", json_string(report->known_release));
  json_put(build, object, "deviations", json_unsigned(report->verdict.known));
  return object;
}

static json_t *verdict_object(JsonBuild *build, const RunReport *report)
{
  const RunVerdict *verdict = &report->verdict;
  json_t *object = json_object(), *reasons = json_array();
  for (size_t i = 0; i < verdict->reason_count; ++i)
    json_add(build, reasons, json_clean_string(verdict->reasons[i]));
  json_put(build, object, "standing", json_string(verdict_standing_name(verdict->standing)));
  json_put(build, object, "exit_code", json_integer(verdict->exit_code));
  json_put(build, object, "text", json_clean_string(verdict->text));
  json_put(build, object, "reasons", reasons);
  json_put(build, object, "gate", gate_object(build, &report->gate));
  json_put(build, object, "must", coverage_object(build, report));
  json_put(build, object, "scopes", scope_array(build, verdict));
  json_put(build, object, "scopes_why", json_clean_or_null(verdict->scopes_why));
  if (report->known_release) json_put(build, object, "known", known_object(build, report));
  return object;
}

static json_t *case_array(JsonBuild *build, const RunReport *report)
{
  json_t *array = json_array();
  for (size_t i = 0; i < report->result_count; ++i)
    if (!facts_is_grouped(&report->results[i]))
      json_add(build, array, json_case(build, report, &report->results[i]));
  return array;
}

static json_t *group_array(JsonBuild *build, const RunReport *report)
{
  FactsGroups groups;
  json_t *array = json_array();
  if (!facts_group(report, &groups)) build->failed = true;
  for (size_t i = 0; i < groups.count; ++i)
    json_add(build, array, json_group(build, report, &groups.items[i]));
  facts_groups_free(&groups);
  return array;
}

// Every clause that a case can judge, whether or not it was judged here, with the sentences that
// were in force: a report says what it judged by also when the specification has moved on.
static json_t *clause_array(JsonBuild *build, const RunReport *report)
{
  json_t *array = json_array();
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id) {
    const Clause *clause = clause_get((ClauseId)id);
    if (clause->level == CLAUSE_UNSPECIFIED || clause->scopes == CLAUSE_SCOPE_CALLER) continue;
    ClauseStanding standing = report->standings ? report->standings[id] : CLAUSE_NOT_JUDGED;
    json_t *object = json_object();
    json_put(build, object, "id", json_string(clause->id));
    json_put(build, object, "level", json_string(clause_level_name(clause->level)));
    json_put(build, object, "standing", json_string(judge_standing_name(standing)));
    json_put(build, object, "chapter", json_string(clause->chapter));
    json_put(build, object, "title", json_string(clause->title));
    json_put(build, object, "text", json_string(clause->text));
    json_put(build, object, "source", json_string(clause->source));
    json_put(build, object, "since", json_string(clause->since));
    json_put(build, object, "until", clause->until ? json_string(clause->until) : json_null());
    json_add(build, array, object);
  }
  return array;
}

static json_t *unmatched_array(JsonBuild *build, const RunReport *report)
{
  json_t *array = json_array();
  for (size_t i = 0; i < report->unmatched_count; ++i)
    json_add(build, array, json_clean_string(report->unmatched[i]->case_id));
  return array;
}

static json_t *device_object(JsonBuild *build, const RunReport *report)
{
  json_t *object = json_object();
  json_put(build, object, "asked", json_string(report->device));
  json_put(build, object, "found", json_boolean(report->device_found));
  json_put(build, object, "text", json_clean_string(report->device_text));
  return object;
}

static json_t *document(JsonBuild *build, const RunReport *report)
{
  json_t *root = json_object();
  // The cases of runtimes stand where they always stood.
  bool grouped = report->kernels != NULL;
  json_put(build, root, "format", json_string(grouped ? REPORT_FORMAT : REPORT_FORMAT_BEFORE));
  json_put(build, root, "suite", suite_object(build));
  json_put(build, root, "library", library_object(build, report));
  json_put(build, root, "environment", environment_object(build, report));
  json_put(build, root, "selection", selection_object(build, report));
  json_put(build, root, "isolation", json_string(report->isolation));
  json_put(build, root, "jobs", json_unsigned(report->jobs));
  if (report->sandbox) json_put(build, root, "sandbox", json_sandbox(build, report->sandbox));
  if (report->device) json_put(build, root, "device", device_object(build, report));
  json_put(build, root, "started_at", json_string(report->started_at));
  json_put(build, root, "duration_us", json_unsigned(report->duration_ns / 1000));
  json_put(build, root, "complete", json_boolean(report->complete));
  json_put(build, root, "conforms",
           json_boolean(report->verdict.standing <= STANDING_BROKEN_KNOWN));
  json_put(build, root, "exit_code", json_integer(report->verdict.exit_code));
  json_put(build, root, "verdict", verdict_object(build, report));
  json_put(build, root, "totals", totals_object(build, report));
  json_put(build, root, "unmatched_waivers", unmatched_array(build, report));
  json_put(build, root, "clauses", clause_array(build, report));
  json_put(build, root, "cases", case_array(build, report));
  if (grouped) {
    json_put(build, root, "groups", group_array(build, report));
    json_put(build, root, "functions", json_functions(build, report));
  }
  return root;
}

int report_json(const RunReport *report, const char *path, char *error, size_t error_size)
{
  JsonBuild build = {.failed = false};
  json_t *root = document(&build, report);
  return json_save(root, build.failed, "the JSON report", path, error, error_size);
}
