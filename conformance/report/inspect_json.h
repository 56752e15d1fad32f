// SPDX-License-Identifier: Apache-2.0
// The reports of `inspect` for machines. They grow file by file, so that no more than one file is
// in memory.
#ifndef TVMFFI_CONFORMANCE_REPORT_INSPECT_JSON_H_
#define TVMFFI_CONFORMANCE_REPORT_INSPECT_JSON_H_

#include <jansson.h>

#include "report/inspect_report.h"
#include "report/json_build.h"

typedef struct InspectJson {
  json_t *files, *unreadable;  // own
  JsonBuild build;
  const Sandbox *sandbox;  // borrowed: what reads the files was confined by; NULL: by nothing
} InspectJson;

// The JSON report (reports/inspect.schema.json).
void inspect_json_begin(InspectJson *json);
void inspect_json_file(InspectJson *json, const InspectSubject *subject);
void inspect_json_unreadable(InspectJson *json, const char *name, const char *text);
void inspect_json_end(InspectJson *json);

// Writes it. 0, or -1 with `error` saying what was being written, where, and why not.
int inspect_json_write(const InspectJson *json, const InspectTotals *totals, int exit_code,
                       const char *path, char *error, size_t error_size);

typedef struct InspectSarif {
  json_t *results, *artifacts, *notifications;  // own
  JsonBuild build;
  const Sandbox *sandbox;  // borrowed: what reads the files was confined by; NULL: by nothing
} InspectSarif;

// SARIF 2.1.0, for pages that show what scanners of code find.
void inspect_sarif_begin(InspectSarif *sarif);
void inspect_sarif_file(InspectSarif *sarif, const InspectSubject *subject);
void inspect_sarif_unreadable(InspectSarif *sarif, const char *name, const char *text);
void inspect_sarif_end(InspectSarif *sarif);
int inspect_sarif_write(const InspectSarif *sarif, int exit_code, const char *path, char *error,
                        size_t error_size);

// The format of a file, and what only files of this format have to tell.
void inspect_json_formats(JsonBuild *build, json_t *file, const InspectFacts *facts);

// A text of the file made valid UTF-8 without control characters; null for an empty one.
json_t *inspect_json_text(ElfText text);

#endif  // TVMFFI_CONFORMANCE_REPORT_INSPECT_JSON_H_
