// SPDX-License-Identifier: Apache-2.0
// Building JSON without looking at every single call: the first failure is remembered and told at
// the end.
#ifndef TVMFFI_CONFORMANCE_REPORT_JSON_BUILD_H_
#define TVMFFI_CONFORMANCE_REPORT_JSON_BUILD_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/judge.h"
#include "report/facts.h"

// More of what a case wrote is counted, not stored.
enum { REPORT_OUTPUT_MAX = 64 * 1024 };

// Of one case of many functions, the first ones have their calls as C programs; `repro` has the rest.
enum { REPORT_PROGRAMS_MAX = 16 };

typedef struct JsonBuild {
  bool failed;             // memory is out; what was built is incomplete
  const Case *program_of;  // the case that the last program was written for,
  unsigned programs;       // and how many of it
} JsonBuild;

// Each takes over `value` or `item`, NULL included.
void json_put(JsonBuild *build, json_t *object, const char *key, json_t *value);
void json_add(JsonBuild *build, json_t *array, json_t *item);

json_t *json_unsigned(uint64_t value);

// What was in force of a sandbox, and which promises are kept. NULL: nothing, and none.
json_t *json_sandbox(JsonBuild *build, const Sandbox *sandbox);

// Text made valid UTF-8 without control characters; `lines` lets line feeds and tabs stay. NULL if
// memory is out.
json_t *json_clean(const char *text, size_t size, bool lines);
json_t *json_clean_string(const char *text);
// null for "" and NULL.
json_t *json_clean_or_null(const char *text);

// "0x%016x".
json_t *json_digest(uint64_t digest);

// A reference to a file, for SARIF: "file:///x" for an absolute path, else relative.
json_t *sarif_uri(const char *path);

// What made the report: "suite" with its name and version.
json_t *json_suite(JsonBuild *build);

// Dumps `root` (taken over) to the path; `failed` is what the building came to. 0, or -1 with
// `error` saying what was being written (`what`: "the JSON report"), where, and why it could not
// be.
int json_save(json_t *root, bool failed, const char *what, const char *path, char *error,
              size_t error_size);

// "functions", of a report with kernels.
json_t *json_functions(JsonBuild *build, const RunReport *report);

// One element of "groups".
json_t *json_group(JsonBuild *build, const RunReport *report, const FactsGroup *group);

// One element of "cases".
json_t *json_case(JsonBuild *build, const RunReport *report, const CaseResult *result);

#endif  // TVMFFI_CONFORMANCE_REPORT_JSON_BUILD_H_
