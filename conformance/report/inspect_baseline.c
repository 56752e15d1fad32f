// SPDX-License-Identifier: Apache-2.0
#include "report/inspect_baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_versions.h"
#include "inspect/json_file.h"
#include "report/clean.h"
#include "report/facts.h"

enum { FILE_SIZE_MAX = 256 << 20 };

// What to do about most of what can be wrong.
#define AGAIN "`tvmffi-conform inspect --report json:FILE` writes one"

struct InspectBaseline {
  json_t *root;  // own
  bool *used;    // own; one for each file
};

static const char *text_of(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

static json_t *files_of(const InspectBaseline *baseline)
{
  return json_object_get(baseline->root, "files");
}

// A file of the report has to have what is looked at here; the rest is of no interest.
static bool check_file(const json_t *file)
{
  return text_of(file, "name") && text_of(file, "path") &&
         json_is_object(json_object_get(file, "api")) &&
         json_is_array(json_object_get(file, "exports")) &&
         json_is_array(json_object_get(file, "findings"));
}

static bool check(const InspectBaseline *baseline, const char *path, char *error, size_t error_size)
{
  const char *format = text_of(baseline->root, "format");
  if (!format || strcmp(format, "tvmffi-conform-inspect/1") != 0) {
    snprintf(
        error, error_size,
        "%s: format: is not a report of `tvmffi-conform inspect` (--report json:FILE writes one)",
        path);
    return false;
  }
  if (!json_is_array(files_of(baseline))) {
    snprintf(error, error_size, "%s: files: must be a list", path);
    return false;
  }
  for (size_t i = 0; i < json_array_size(files_of(baseline)); ++i) {
    if (check_file(json_array_get(files_of(baseline), i))) continue;
    snprintf(error, error_size, "%s: files[%zu]: lacks name, path, api, exports or findings", path,
             i);
    return false;
  }
  return true;
}

static bool no_memory(const char *path, char *error, size_t error_size)
{
  snprintf(error, error_size, "%s: out of memory", path);
  return false;
}

static bool parse(InspectBaseline *baseline, const char *text, size_t size, const char *path,
                  char *error, size_t error_size)
{
  baseline->root = json_file_parse(path, text, size, AGAIN, error, error_size);
  if (!baseline->root || !check(baseline, path, error, error_size)) return false;
  baseline->used = calloc(json_array_size(files_of(baseline)) + 1, sizeof *baseline->used);
  return baseline->used || no_memory(path, error, error_size);
}

InspectBaseline *inspect_baseline_read(const char *path, char *error, size_t error_size)
{
  size_t size;
  char *text = json_file_load(path, FILE_SIZE_MAX, &size, error, error_size);
  if (!text) return NULL;
  InspectBaseline *baseline = calloc(1, sizeof *baseline);
  bool good = baseline ? parse(baseline, text, size, path, error, error_size)
                       : no_memory(path, error, error_size);
  free(text);
  if (good) return baseline;
  inspect_baseline_free(baseline);
  return NULL;
}

void inspect_baseline_free(InspectBaseline *baseline)
{
  if (!baseline) return;
  json_decref(baseline->root);
  free(baseline->used);
  free(baseline);
}

static const json_t *find_by(const InspectBaseline *baseline, const char *key, const char *text,
                             size_t *index)
{
  for (*index = 0; *index < json_array_size(files_of(baseline)); ++*index) {
    const json_t *file = json_array_get(files_of(baseline), *index);
    if (strcmp(text_of(file, key), text) == 0) return file;
  }
  return NULL;
}

// The report has names made clean.
static const json_t *find_file(InspectBaseline *baseline, const InspectSubject *subject)
{
  size_t index = 0;
  char *path = clean_string(subject->name, 0);
  char *name = clean_string(facts_base_name(subject->name), 0);
  const json_t *file = path ? find_by(baseline, "path", path, &index) : NULL;
  if (!file && name) file = find_by(baseline, "name", name, &index);
  free(path);
  free(name);
  if (file) baseline->used[index] = true;
  return file;
}

// --- What is worse -------------------------------------------------------------------------------

static void check_floor(const json_t *object, const char *key, const char *what, uint32_t now,
                        InspectSubject *subject)
{
  char text[16];
  const char *before = text_of(object, key);
  uint32_t then = before ? inspect_versions_number((ElfText){before, strlen(before)}, "") : 0;
  if (now <= then) return;
  inspect_findings_add(&subject->findings, INSPECT_FINDING_BASELINE_FLOOR, (ElfText){"", 0},
                       "%s %s, before it was %s", what, abi_version_text(now, text),
                       before ? before : "none");
}

// The exports of the ABI as keys of an object, made clean as in the report.
static json_t *exports_now(const InspectFacts *facts)
{
  json_t *set = json_object();
  for (size_t i = 0; set && i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (entry->role == INSPECT_ROLE_NONE || !inspect_facts_exports(entry)) continue;
    char *name = clean_text(entry->name.data, entry->name.size, 0);
    if (!name || json_object_set_new(set, name, json_true()) != 0) {
      json_decref(set);
      set = NULL;
    }
    free(name);
  }
  return set;
}

static bool check_exports(const json_t *file, InspectSubject *subject)
{
  json_t *now = exports_now(subject->facts), *before = json_object_get(file, "exports");
  if (!now) return false;
  for (size_t i = 0; i < json_array_size(before); ++i) {
    const char *name = json_string_value(json_array_get(before, i));
    if (!name || json_object_get(now, name)) continue;
    inspect_findings_add(&subject->findings, INSPECT_FINDING_BASELINE_EXPORT,
                         (ElfText){name, strlen(name)}, "%s", "");
  }
  json_decref(now);
  return true;
}

static bool was_found(const json_t *file, const InspectFinding *finding, const char *symbol)
{
  const char *id = inspect_finding_kinds[finding->id].id;
  const json_t *before = json_object_get(file, "findings");
  // Of a kind that had too many to be listed, this one may have been among them.
  if (json_object_get(json_object_get(file, "findings_not_listed"), id)) return true;
  for (size_t i = 0; i < json_array_size(before); ++i) {
    const json_t *old = json_array_get(before, i);
    const char *old_id = text_of(old, "id"), *old_symbol = text_of(old, "symbol");
    if (old_id && strcmp(old_id, id) == 0 && strcmp(old_symbol ? old_symbol : "", symbol) == 0) {
      return true;
    }
  }
  return false;
}

static bool check_findings(const json_t *file, InspectSubject *subject)
{
  InspectFindings *findings = &subject->findings;
  size_t count = findings->count;  // those that are added here are not looked at
  for (size_t i = 0; i < count; ++i) {
    InspectFinding finding = findings->items[i];
    if (finding.level < INSPECT_LEVEL_WARNING) continue;
    char *symbol = clean_text(finding.symbol.data, finding.symbol.size, 0);
    if (!symbol) return false;
    if (!was_found(file, &finding, symbol)) {
      inspect_findings_add(findings, INSPECT_FINDING_BASELINE_FINDING, finding.symbol, "%s",
                           inspect_finding_kinds[finding.id].id);
    }
    free(symbol);
  }
  return true;
}

bool inspect_baseline_apply(InspectBaseline *baseline, InspectSubject *subject)
{
  const json_t *file = find_file(baseline, subject);
  const InspectFloors *floors = &subject->facts->floors;
  if (!file) return true;
  // Findings first: what is added below is told by itself.
  bool done = check_findings(file, subject) && check_exports(file, subject);
  check_floor(json_object_get(file, "api"), "floor", "the ABI's floor is", subject->api.floor,
              subject);
  check_floor(file, "glibc", "GLIBC", floors->glibc, subject);
  check_floor(file, "glibcxx", "GLIBCXX", floors->glibcxx, subject);
  check_floor(file, "cxxabi", "CXXABI", floors->cxxabi, subject);
  inspect_findings_sort(&subject->findings);
  return done && !subject->findings.no_memory;
}

const char *inspect_baseline_left(const InspectBaseline *baseline, size_t index)
{
  for (size_t i = 0; i < json_array_size(files_of(baseline)); ++i) {
    if (baseline->used[i] || index-- > 0) continue;
    return text_of(json_array_get(files_of(baseline), i), "name");
  }
  return NULL;
}
