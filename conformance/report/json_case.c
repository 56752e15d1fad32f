// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/facts.h"
#include "report/json_build.h"
#include "run/signal_name.h"

// Larger addresses differ from run to run, and so would the report.
enum { NULL_PAGE_SIZE = 4096 };

#define CLEAN_ARRAY(array) json_clean((array), strnlen((array), sizeof(array)), false)

// True if the payload of a value is an address, which differs from run to run. Opaque pointers are
// chosen by the case.
static bool holds_address(const uint8_t bytes[16])
{
  int32_t type_index;
  uint64_t payload;
  memcpy(&type_index, bytes, sizeof type_index);
  memcpy(&payload, bytes + 8, sizeof payload);
  bool points = type_index >= kTVMFFIStaticObjectBegin ||
                (type_index >= kTVMFFIDLTensorPtr && type_index <= kTVMFFIObjectRValueRef);
  return points && payload >= NULL_PAGE_SIZE;
}

// 16 bytes as hex, those that were not compared as "..", those of an address as "**".
static json_t *value_bytes(const uint8_t bytes[16], const uint8_t ignored[16])
{
  char text[33];
  bool address = holds_address(bytes);
  for (size_t i = 0; i < 16; ++i) {
    if (ignored[i])
      strcpy(text + 2 * i, "..");
    else if (address && i >= 8)
      strcpy(text + 2 * i, "**");
    else
      snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  }
  return json_string(text);
}

static json_t *failure_object(JsonBuild *build, const EvidenceFailure *failure)
{
  unsigned char has_bytes;  // a process that ran wild may have left more than 0 or 1 in it
  memcpy(&has_bytes, &failure->has_bytes, 1);
  json_t *object = json_object();
  json_put(build, object, "what", CLEAN_ARRAY(failure->what));
  json_put(build, object, "expected", CLEAN_ARRAY(failure->expected));
  json_put(build, object, "seen", CLEAN_ARRAY(failure->seen));
  json_put(build, object, "note", CLEAN_ARRAY(failure->note));
  json_put(build, object, "source", CLEAN_ARRAY(failure->source));
  json_put(build, object, "expected_bytes",
           has_bytes ? value_bytes(failure->expected_bytes, failure->ignored_bytes) : json_null());
  json_put(build, object, "seen_bytes",
           has_bytes ? value_bytes(failure->seen_bytes, failure->ignored_bytes) : json_null());
  return object;
}

static json_t *evidence_array(JsonBuild *build, const Outcome *outcome)
{
  json_t *array = json_array();
  size_t kept = facts_failures(outcome);
  for (size_t i = 0; i < kept; ++i)
    json_add(build, array, failure_object(build, &outcome->evidence->failures[i]));
  return array;
}

static json_t *address_text(const EvidenceCrash *crash)
{
  char text[24];
  if (!crash || crash->signal == 0 || crash->code <= 0 || crash->address >= NULL_PAGE_SIZE)
    return json_null();
  snprintf(text, sizeof text, "0x%" PRIx64, crash->address);
  return json_string(text);
}

static json_t *crash_object(JsonBuild *build, const Outcome *outcome)
{
  if (outcome->kind != OUTCOME_CRASHED) return json_null();
  const EvidenceCrash *crash = outcome->evidence ? &outcome->evidence->crash : NULL;
  char name[SIGNAL_NAME_MAX];
  json_t *object = json_object();
  json_put(build, object, "signal", json_string(signal_name(outcome->signal, name)));
  json_put(build, object, "address", address_text(crash));
  json_put(build, object, "where", json_clean_or_null(outcome->where));
  json_put(build, object, "fence",
           crash && crash->fence[0] ? CLEAN_ARRAY(crash->fence) : json_null());
  return object;
}

static json_t *output_object(JsonBuild *build, const Outcome *outcome)
{
  if (!outcome->output || !outcome->output[0]) return json_null();
  size_t kept = strnlen(outcome->output, REPORT_OUTPUT_MAX);
  json_t *object = json_object();
  json_put(build, object, "text", json_clean(outcome->output, kept, true));
  json_put(build, object, "bytes",
           json_unsigned(outcome->output_bytes > kept ? outcome->output_bytes : kept));
  return object;
}

static json_t *waiver_object(JsonBuild *build, const CaseResult *result)
{
  const Waiver *waiver = result->waiver;
  if (!waiver) return json_null();
  json_t *object = json_object();
  json_put(build, object, "reason", json_clean_string(waiver->reason));
  json_put(build, object, "url", json_clean_or_null(waiver->url));
  json_put(build, object, "expires", json_clean_or_null(waiver->expires));
  return object;
}

static json_t *clause_ids(JsonBuild *build, const CaseInstance *instance)
{
  json_t *array = json_array();
  const ClauseId *clauses = instance->clauses;
  for (int i = 0; i < CASE_CLAUSES_MAX && clauses[i] != CLAUSE_NONE; ++i)
    json_add(build, array, json_string(clause_get(clauses[i])->id));
  return array;
}

// The names of the functions of a group; null if these are all functions of the module, once each.
static json_t *function_names(JsonBuild *build, const RunReport *report, const FactsGroup *group)
{
  bool whole = report->kernels && report->kernels->count == group->count &&
               !(report->selection && report->selection->repeat > 1);
  json_t *array = json_array();
  for (size_t i = 0; i < group->count; ++i) {
    const CaseInstance *instance = group->results[i]->instance;
    char label[KERNEL_LABEL_MAX];
    whole &= strcmp(facts_function(instance), kernel_label(instance->kernel, label)) == 0;
    json_add(build, array, json_clean_string(facts_function(instance)));
  }
  if (!whole) return array;
  json_decref(array);
  return json_null();
}

json_t *json_group(JsonBuild *build, const RunReport *report, const FactsGroup *group)
{
  const CaseResult *first = group->results[0];
  char id[CASE_ID_MAX];
  uint64_t held = 0, duration_ns = 0;
  bool races = false;
  for (size_t i = 0; i < group->count; ++i) {
    races |= group->results[i]->outcome.races;
    held += group->results[i]->outcome.held;
    duration_ns += group->results[i]->outcome.duration_ns;
  }
  json_t *object = json_object();
  json_put(build, object, "id", json_string(facts_case_id(first->instance, id)));
  json_put(build, object, "title", json_clean_string(first->instance->test->title));
  json_put(build, object, "clauses", clause_ids(build, first->instance));
  json_put(build, object, "level", json_string(clause_level_name(first->instance->level)));
  json_put(build, object, "verdict", json_string(judge_verdict_name(first->verdict)));
  json_put(build, object, "reason", CLEAN_ARRAY(first->reason));
  json_put(build, object, "of_headers", json_boolean(first->of_headers));
  json_put(build, object, "duration_us", json_unsigned(duration_ns / 1000));
  json_put(build, object, "held", json_unsigned(held));
  json_put(build, object, "count", json_unsigned(group->count));
  json_put(build, object, "functions", function_names(build, report, group));
  if (races) json_put(build, object, "races", json_true());
  return object;
}

// Cases stand one behind the other for all functions, unless they are shuffled.
static bool has_room(JsonBuild *build, const Case *test)
{
  if (build->program_of != test) build->programs = 0;
  build->program_of = test;
  return build->programs++ < REPORT_PROGRAMS_MAX;
}

json_t *json_case(JsonBuild *build, const RunReport *report, const CaseResult *result)
{
  const Outcome *outcome = &result->outcome;
  json_t *expectations = json_object();
  json_put(build, expectations, "held", json_unsigned(outcome->held));
  json_put(build, expectations, "failed", json_unsigned(outcome->failed));

  json_t *object = json_object();
  json_put(build, object, "id", json_string(result->instance->id));
  json_put(build, object, "title", json_clean_string(result->instance->test->title));
  json_put(build, object, "clauses", clause_ids(build, result->instance));
  json_put(build, object, "level", json_string(clause_level_name(result->instance->level)));
  json_put(build, object, "verdict", json_string(judge_verdict_name(result->verdict)));
  json_put(build, object, "fail_kind",
           result->fail_kind ? json_string(judge_fail_kind_name(result->fail_kind)) : json_null());
  json_put(build, object, "reason", CLEAN_ARRAY(result->reason));
  json_put(build, object, "duration_us", json_unsigned(outcome->duration_ns / 1000));
  json_put(build, object, "expectations", expectations);
  json_put(build, object, "evidence", evidence_array(build, outcome));
  json_put(build, object, "crash", crash_object(build, outcome));
  json_put(build, object, "output", output_object(build, outcome));
  json_put(build, object, "waiver", waiver_object(build, result));
  if (judge_counts_against(report, result)) json_put(build, object, "counts", json_true());
  if (outcome->races) json_put(build, object, "races", json_true());
  if (facts_is_probed(result)) json_put(build, object, "signature", json_string("probed"));
  const char *program;
  size_t size = facts_program(result, &program);
  if (size && has_room(build, result->instance->test))
    json_put(build, object, "program", json_clean(program, size, true));
  return object;
}
