// SPDX-License-Identifier: Apache-2.0
// Gate files: {"format": "tvmffi-conform-gate/1", "level": "must", "reason": "...", "rules": [...]}.
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/inspect_json_place.h"
#include "inspect/json_file.h"
#include "judge/gate.h"

#define GATE_FORMAT "tvmffi-conform-gate/1"

static const char levels[] = "must, should, hardening";

typedef struct Reading {
  const char *path, *text;
  size_t size;
  char *error;
  size_t error_size;
  InspectJsonPlace place;
} Reading;

// "gate.json:7: rules[2].level: must be one of: must, should, hardening". Always false.
__attribute__((format(printf, 2, 3))) static bool complain(Reading *reading, const char *format,
                                                           ...)
{
  char message[320], key[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  inspect_json_place_text(&reading->place, key, sizeof key);
  snprintf(reading->error, reading->error_size, "%s:%u: %s%s%s", reading->path,
           inspect_json_place_line(&reading->place, reading->text, reading->size), key,
           key[0] ? ": " : "", message);
  return false;
}

// Whether all members of `object` are among `known`, which ends in NULL; `allowed` names them.
static bool has_only(Reading *reading, json_t *object, const char *const *known,
                     const char *allowed)
{
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return complain(reading, "must be an object with %s", allowed);
  json_object_foreach(object, key, value)
  {
    size_t i = 0;
    while (known[i] && strcmp(known[i], key) != 0) ++i;
    if (known[i]) continue;
    inspect_json_place_enter(&reading->place, key);
    return complain(reading, "unknown member (allowed: %s)", allowed);
  }
  return true;
}

// The text of a member (borrowed), or NULL after complaining; it must not be blank.
static const char *read_text(Reading *reading, json_t *object, const char *key, const char *what)
{
  json_t *value = json_object_get(object, key);
  const char *text = json_string_value(value);
  if (text && text[strspn(text, " \t\r\n")]) return text;
  if (value) inspect_json_place_enter(&reading->place, key);
  complain(reading, value ? "must be %s" : "lacks \"%s\", %s", value ? what : key, what);
  return NULL;
}

static bool read_level(Reading *reading, json_t *object, bool or_nothing, ClauseLevel *level,
                       bool *nothing)
{
  static const char *const names[] = {"must", "should", "hardening"};
  const char *text = read_text(reading, object, "level", "a level");
  if (!text) return false;
  *nothing = or_nothing && strcmp(text, "nothing") == 0;
  for (int i = 0; i < 3; ++i)
    if (strcmp(names[i], text) == 0) {
      *level = (ClauseLevel)i;
      return true;
    }
  if (*nothing) return true;
  inspect_json_place_enter(&reading->place, "level");
  return complain(reading, "must be one of: %s%s", levels, or_nothing ? ", nothing" : "");
}

// A rule about nothing is a misspelt one.
static bool names_a_clause(const GateRule *rule)
{
  for (unsigned id = 1; id < CLAUSE_COUNT; ++id)
    if (gate_rule_is_about(rule, clause_get((ClauseId)id))) return true;
  return false;
}

static bool read_rule(Reading *reading, json_t *object, GateRule *rule)
{
  static const char *const known[] = {"clauses", "chapter", "level", "reason", NULL};
  if (!has_only(reading, object, known, "clauses or chapter, level, reason")) return false;
  bool by_chapter = json_object_get(object, "chapter") != NULL;
  if (by_chapter && json_object_get(object, "clauses"))
    return complain(reading, "has both \"clauses\" and \"chapter\"");
  const char *key = by_chapter ? "chapter" : "clauses";
  const char *glob = read_text(reading, object, key, "a glob");
  const char *reason = glob ? read_text(reading, object, "reason", "why") : NULL;
  if (!reason || !read_level(reading, object, true, &rule->level, &rule->nothing)) return false;
  *(by_chapter ? &rule->chapter : &rule->clauses) = strdup(glob);
  rule->reason = strdup(reason);
  if (!(rule->chapter || rule->clauses) || !rule->reason) return complain(reading, "out of memory");
  inspect_json_place_enter(&reading->place, key);
  if (!names_a_clause(rule)) return complain(reading, "matches no clause of the spec");
  inspect_json_place_leave(&reading->place);
  return true;
}

static bool read_rules(Reading *reading, json_t *list, Gate *gate)
{
  inspect_json_place_enter(&reading->place, "rules");
  if (!json_is_array(list)) return complain(reading, "must be a list");
  gate->rules = calloc(json_array_size(list) + 1, sizeof *gate->rules);
  if (!gate->rules) return complain(reading, "out of memory");
  for (size_t i = 0; i < json_array_size(list); ++i) {
    inspect_json_place_enter_item(&reading->place, i);
    if (!read_rule(reading, json_array_get(list, i), &gate->rules[gate->rule_count++]))
      return false;
    inspect_json_place_leave(&reading->place);
  }
  inspect_json_place_leave(&reading->place);
  return true;
}

static bool read_root(Reading *reading, json_t *root, Gate *gate)
{
  static const char *const known[] = {"format", "level", "reason", "rules", NULL};
  bool nothing;
  json_t *rules = json_object_get(root, "rules");
  if (!has_only(reading, root, known, "format, level, reason, rules")) return false;
  const char *format = read_text(reading, root, "format", "\"" GATE_FORMAT "\"");
  const char *reason = format ? read_text(reading, root, "reason", "why") : NULL;
  if (!reason || !read_level(reading, root, false, &gate->level, &nothing)) return false;
  if (strcmp(format, GATE_FORMAT) != 0) {
    inspect_json_place_enter(&reading->place, "format");
    return complain(reading, "must be \"%s\"", GATE_FORMAT);
  }
  gate->reason = strdup(reason);
  gate->name = strdup(reading->path);
  if (!gate->reason || !gate->name) return complain(reading, "out of memory");
  return !rules || read_rules(reading, rules, gate);
}

bool gate_read_text(const char *path, const char *text, size_t size, Gate *gate, char *error,
                    size_t error_size)
{
  Reading reading = {
      .path = path, .text = text, .size = size, .error = error, .error_size = error_size};
  *gate = (Gate){.level = CLAUSE_MUST};
  json_t *root = json_file_parse(path, text, size, NULL, error, error_size);
  bool good = root && read_root(&reading, root, gate);
  json_decref(root);
  if (!good) gate_free(gate);
  return good;
}

bool gate_read(const char *path, Gate *gate, char *error, size_t error_size)
{
  size_t size;
  *gate = (Gate){.level = CLAUSE_MUST};
  char *text = json_file_load(path, GATE_FILE_MAX, &size, error, error_size);
  bool good = text && gate_read_text(path, text, size, gate, error, error_size);
  free(text);
  return good;
}

void gate_free(Gate *gate)
{
  for (size_t i = 0; i < gate->rule_count; ++i) {
    free(gate->rules[i].clauses);
    free(gate->rules[i].chapter);
    free(gate->rules[i].reason);
  }
  free(gate->rules);
  free(gate->name);
  free(gate->reason);
  *gate = (Gate){.level = CLAUSE_MUST};
}
