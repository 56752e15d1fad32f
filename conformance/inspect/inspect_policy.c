// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect_policy.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_json_place.h"
#include "inspect/inspect_versions.h"
#include "inspect/json_file.h"

enum { FILE_SIZE_MAX = 4 << 20 };

struct InspectPolicy {
  json_t *root;  // own; checked, so that using it needs no checks any more
};

// What is being read, for messages.
typedef struct Reading {
  const char *path, *text;
  size_t size;
  char *error;
  size_t error_size;
  InspectJsonPlace place;  // of the value that is looked at
} Reading;

// "policy.json:7: exports.allowed[2]: must be a string"
__attribute__((format(printf, 2, 3))) static bool complain(Reading *reading, const char *format,
                                                           ...)
{
  char message[320], key[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  unsigned line = inspect_json_place_line(&reading->place, reading->text, reading->size);
  inspect_json_place_text(&reading->place, key, sizeof key);
  snprintf(reading->error, reading->error_size, "%s:%u: %s%s%s", reading->path, line, key,
           key[0] ? ": " : "", message);
  return false;
}

// --- Values --------------------------------------------------------------------------------------

static bool is_text(Reading *reading, const json_t *value)
{
  return json_is_string(value) || complain(reading, "must be a string");
}

// A version has two or three parts.
static uint32_t version_of(const json_t *value)
{
  const char *text = json_string_value(value);
  if (!text) return 0;
  return strchr(text, '.') ? inspect_versions_number((ElfText){text, strlen(text)}, "") : 0;
}

static bool check_version(Reading *reading, const json_t *value)
{
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!is_text(reading, value)) return false;
  if (version_of(value) > 0) return true;
  return complain(reading, "is not a version: \"%s\" (write it as \"0.1.9\" or \"2.28\")",
                  json_file_quote(json_string_value(value), shown));
}

static bool check_globs(Reading *reading, const json_t *value)
{
  if (!json_is_array(value)) return complain(reading, "must be a list of globs");
  for (size_t i = 0; i < json_array_size(value); ++i) {
    inspect_json_place_enter_item(&reading->place, i);
    if (!is_text(reading, json_array_get(value, i))) return false;
    inspect_json_place_leave(&reading->place);
  }
  return true;
}

typedef struct Member {
  const char *key;
  bool (*check)(Reading *reading, const json_t *value);
} Member;

// Every member of `object` must be one of the `count` known ones and pass its check.
static bool check_members(Reading *reading, const json_t *object, const Member *known, size_t count)
{
  const char *key;
  json_t *value;
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!json_is_object(object)) return complain(reading, "must be an object");
  json_object_foreach((json_t *)object, key, value)
  {
    size_t i = 0;
    while (i < count && strcmp(known[i].key, key) != 0) ++i;
    inspect_json_place_enter(&reading->place, key);
    if (i == count) return complain(reading, "unknown key \"%s\"", json_file_quote(key, shown));
    if (!known[i].check(reading, value)) return false;
    inspect_json_place_leave(&reading->place);
  }
  return true;
}

static bool check_exports(Reading *reading, const json_t *value)
{
  static const Member known[] = {{"required", check_globs}, {"allowed", check_globs}};
  return check_members(reading, value, known, 2);
}

static bool check_imports(Reading *reading, const json_t *value)
{
  static const Member known[] = {{"allowed", check_globs}};
  return check_members(reading, value, known, 1);
}

// --- Findings ------------------------------------------------------------------------------------

static bool check_id(Reading *reading, const json_t *value)
{
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!is_text(reading, value)) return false;
  if (inspect_finding_find(json_string_value(value)) < INSPECT_FINDING_COUNT) return true;
  return complain(reading, "unknown finding: \"%s\"",
                  json_file_quote(json_string_value(value), shown));
}

static InspectLevel level_of(const char *name)
{
  unsigned level = INSPECT_LEVEL_NONE;
  while (level <= INSPECT_LEVEL_ERROR && strcmp(inspect_level_name(level), name) != 0) ++level;
  return (InspectLevel)level;
}

static bool check_level(Reading *reading, const json_t *value)
{
  char shown[JSON_FILE_QUOTE_SIZE];
  if (!is_text(reading, value)) return false;
  if (level_of(json_string_value(value)) <= INSPECT_LEVEL_ERROR) return true;
  return complain(reading, "unknown level: \"%s\" (levels: none, note, warning, error)",
                  json_file_quote(json_string_value(value), shown));
}

static bool check_reason(Reading *reading, const json_t *value)
{
  if (!is_text(reading, value)) return false;
  const char *text = json_string_value(value);
  return text[strspn(text, " \t\r\n")] || complain(reading, "is empty (say why the level differs)");
}

static bool check_finding(Reading *reading, const json_t *value)
{
  static const Member known[] = {
      {"id", check_id}, {"level", check_level}, {"reason", check_reason}, {"symbol", is_text}};
  if (!check_members(reading, value, known, 4)) return false;
  for (int i = 0; i < 3; ++i) {
    if (!json_object_get(value, known[i].key))
      return complain(reading, "lacks \"%s\"", known[i].key);
  }
  return true;
}

static bool check_findings(Reading *reading, const json_t *value)
{
  if (!json_is_array(value)) return complain(reading, "must be a list of objects");
  for (size_t i = 0; i < json_array_size(value); ++i) {
    inspect_json_place_enter_item(&reading->place, i);
    if (!check_finding(reading, json_array_get(value, i))) return false;
    inspect_json_place_leave(&reading->place);
  }
  return true;
}

// --- The file ------------------------------------------------------------------------------------

static bool check_format(Reading *reading, const json_t *value)
{
  const char *text = json_string_value(value);
  return (text && strcmp(text, "tvmffi-conform-policy/1") == 0) ||
         complain(reading, "must be \"tvmffi-conform-policy/1\"");
}

static bool check_files(Reading *reading, const json_t *value);

// The first COMMON are those of a file's rules, too.
static const Member members[] = {
    {"abi_floor", check_version}, {"glibc", check_version},   {"glibcxx", check_version},
    {"cxxabi", check_version},    {"exports", check_exports}, {"imports", check_imports},
    {"findings", check_findings}, {"format", check_format},   {"files", check_files},
};
enum { COMMON = 7, MEMBERS = sizeof members / sizeof members[0] };

static bool check_files(Reading *reading, const json_t *value)
{
  const char *key;
  json_t *rules;
  if (!json_is_object(value)) return complain(reading, "must be an object: globs and rules");
  json_object_foreach((json_t *)value, key, rules)
  {
    inspect_json_place_enter(&reading->place, key);
    if (!check_members(reading, rules, members, COMMON)) return false;
    inspect_json_place_leave(&reading->place);
  }
  return true;
}

static bool check_root(Reading *reading, const json_t *root)
{
  if (!check_members(reading, root, members, MEMBERS)) return false;
  return json_object_get(root, "format") ||
         complain(reading, "lacks \"format\": \"tvmffi-conform-policy/1\"");
}

static json_t *parse(Reading *reading)
{
  json_t *root = json_file_parse(reading->path, reading->text, reading->size, NULL, reading->error,
                                 reading->error_size);
  if (!root || check_root(reading, root)) return root;
  json_decref(root);
  return NULL;
}

InspectPolicy *inspect_policy_read(const char *path, char *error, size_t error_size)
{
  Reading reading = {.path = path, .error = error, .error_size = error_size};
  InspectPolicy *policy = calloc(1, sizeof *policy);
  char *text = json_file_load(path, FILE_SIZE_MAX, &reading.size, error, error_size);
  reading.text = text;
  if (policy && text) policy->root = parse(&reading);
  free(text);
  if (policy && policy->root) return policy;
  if (!policy) snprintf(error, error_size, "%s: out of memory", path);
  free(policy);
  return NULL;
}

void inspect_policy_free(InspectPolicy *policy)
{
  if (!policy) return;
  json_decref(policy->root);
  free(policy);
}

// --- Applying it ---------------------------------------------------------------------------------

static bool matches(const char *glob, ElfText text)
{
  char name[ELFFILE_LONGEST_TEXT + 1];
  size_t size = text.size < ELFFILE_LONGEST_TEXT ? text.size : ELFFILE_LONGEST_TEXT;
  if (size > 0) memcpy(name, text.data, size);
  name[size] = '\0';
  return fnmatch(glob, name, 0) == 0;
}

static bool matches_any(const json_t *globs, ElfText text)
{
  for (size_t i = 0; i < json_array_size(globs); ++i) {
    if (matches(json_string_value(json_array_get(globs, i)), text)) return true;
  }
  return false;
}

static void check_highest(const json_t *rules, const char *key, uint32_t seen, InspectFindingId id,
                          InspectSubject *subject)
{
  char text[16];
  const json_t *value = json_object_get(rules, key);
  if (!value || seen <= version_of(value)) return;
  inspect_findings_add(&subject->findings, id, (ElfText){"", 0}, "it needs %s, allowed is %s",
                       abi_version_text(seen, text), json_string_value(value));
}

static void check_allowed(const json_t *globs, bool exports, InspectFindingId id,
                          InspectSubject *subject)
{
  const InspectFacts *facts = subject->facts;
  for (size_t i = 0; globs && i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    bool concerned = exports ? inspect_facts_exports(entry)
                             : entry->section == SHN_UNDEF && entry->binding != STB_WEAK;
    if (!concerned || matches_any(globs, entry->name)) continue;
    inspect_findings_add(&subject->findings, id, entry->name, "%s", "");
  }
}

static bool exports_match(const InspectFacts *facts, const char *glob)
{
  for (size_t i = 0; i < facts->symbol_count; ++i) {
    const InspectEntry *entry = &facts->symbols[i];
    if (inspect_facts_exports(entry) && matches(glob, entry->name)) return true;
  }
  return false;
}

static void check_required(const json_t *globs, InspectSubject *subject)
{
  for (size_t i = 0; i < json_array_size(globs); ++i) {
    const char *glob = json_string_value(json_array_get(globs, i));
    if (exports_match(subject->facts, glob)) continue;
    inspect_findings_add(&subject->findings, INSPECT_FINDING_POLICY_MISSING,
                         (ElfText){glob, strlen(glob)}, "%s", "");
  }
}

static void change_level(const json_t *entry, InspectFindings *findings)
{
  InspectFindingId id = inspect_finding_find(json_string_value(json_object_get(entry, "id")));
  InspectLevel level = level_of(json_string_value(json_object_get(entry, "level")));
  const char *symbol = json_string_value(json_object_get(entry, "symbol"));
  for (size_t i = 0; i < findings->count; ++i) {
    InspectFinding *finding = &findings->items[i];
    if (finding->id != id || (symbol && !matches(symbol, finding->symbol))) continue;
    finding->level = level;
    finding->reason = json_string_value(json_object_get(entry, "reason"));
  }
  if (!symbol && findings->unstored[id] > 0) findings->unstored_levels[id] = level;
}

static void apply_rules(const json_t *rules, InspectSubject *subject)
{
  const json_t *exports = json_object_get(rules, "exports");
  const json_t *imports = json_object_get(rules, "imports");
  const InspectFloors *floors = &subject->facts->floors;
  check_highest(rules, "abi_floor", subject->api.floor, INSPECT_FINDING_POLICY_FLOOR, subject);
  check_highest(rules, "glibc", floors->glibc, INSPECT_FINDING_POLICY_GLIBC, subject);
  check_highest(rules, "glibcxx", floors->glibcxx, INSPECT_FINDING_POLICY_GLIBCXX, subject);
  check_highest(rules, "cxxabi", floors->cxxabi, INSPECT_FINDING_POLICY_CXXABI, subject);
  check_required(json_object_get(exports, "required"), subject);
  check_allowed(json_object_get(exports, "allowed"), true, INSPECT_FINDING_POLICY_EXPORT, subject);
  check_allowed(json_object_get(imports, "allowed"), false, INSPECT_FINDING_POLICY_IMPORT, subject);
}

static void apply_levels(const json_t *rules, InspectSubject *subject)
{
  const json_t *findings = json_object_get(rules, "findings");
  for (size_t i = 0; i < json_array_size(findings); ++i) {
    change_level(json_array_get(findings, i), &subject->findings);
  }
}

bool inspect_policy_apply(const InspectPolicy *policy, InspectSubject *subject)
{
  const char *key, *slash = strrchr(subject->name, '/');
  json_t *rules, *files = json_object_get(policy->root, "files");
  const char *name = slash ? slash + 1 : subject->name;
  apply_rules(policy->root, subject);
  json_object_foreach(files, key, rules)
  {
    if (fnmatch(key, name, 0) == 0) apply_rules(rules, subject);
  }
  apply_levels(policy->root, subject);
  json_object_foreach(files, key, rules)
  {
    if (fnmatch(key, name, 0) == 0) apply_levels(rules, subject);
  }
  inspect_findings_sort(&subject->findings);
  return !subject->findings.no_memory;
}
