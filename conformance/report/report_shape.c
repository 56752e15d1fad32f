// SPDX-License-Identifier: Apache-2.0
#include "report/report_shape.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum ShapeKind {
  SHAPE_STRING,   // of at least `least` bytes and of the pattern, if there is one
  SHAPE_WORD,     // one of `words`
  SHAPE_INTEGER,  // `least` or more
  SHAPE_CODE,     // an integer: one of `words`
  SHAPE_BOOLEAN,
  SHAPE_ARRAY,   // of `least` to `most` items
  SHAPE_OBJECT,  // with these members and no others
} ShapeKind;

typedef struct Shape Shape;

typedef struct ShapeMember {
  const char *name;  // NULL ends a list of members
  const Shape *shape;
  bool required;
} ShapeMember;

struct Shape {
  ShapeKind kind;
  bool nullable, unique;
  const char *expected;      // what it must be, for a message
  size_t pattern;            // its number in `patterns`, from 1; 0: none
  const char *const *words;  // NULL ends them
  json_int_t least;
  size_t most;  // 0: any number
  const Shape *item;
  const ShapeMember *members;
};

#include "report_shape.inc"

enum { PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct Check {
  regex_t compiled[PATTERNS];
  bool is_compiled[PATTERNS];
  InspectJsonPlace *place;
  char *what;
  size_t what_size;
} Check;

// Always false.
__attribute__((format(printf, 2, 3))) static bool refuse(Check *check, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->what, check->what_size, format, arguments);
  va_end(arguments);
  return false;
}

static bool refuse_kind(Check *check, const Shape *shape)
{
  return refuse(check, "must be %s", shape->expected);
}

// --- Values --------------------------------------------------------------------------------------

static bool is_word(const Shape *shape, const char *text)
{
  const char *const *word = shape->words;
  while (*word && strcmp(*word, text) != 0) ++word;
  return *word != NULL;
}

// A pattern is compiled when it is first needed.
static bool check_pattern(Check *check, const Shape *shape, const char *text)
{
  size_t index = shape->pattern - 1;
  regex_t *compiled = &check->compiled[index];
  if (!check->is_compiled[index]) {
    if (regcomp(compiled, patterns[index], REG_EXTENDED | REG_NOSUB) != 0)
      return refuse(check, "cannot be checked: out of memory");
    check->is_compiled[index] = true;
  }
  return regexec(compiled, text, 0, NULL, 0) == 0 || refuse_kind(check, shape);
}

static bool check_string(Check *check, const Shape *shape, const json_t *held)
{
  const char *text = json_string_value(held);
  if (!text) return refuse(check, "must be a string");
  if (shape->least > 0 && !*text) return refuse_kind(check, shape);
  return !shape->pattern || check_pattern(check, shape, text);
}

// `held` is never NULL: a member that is absent has no value to check.
static bool is_of(const json_t *held, json_type type)
{
  return json_typeof(held) == type;
}

static bool check_word(Check *check, const Shape *shape, const json_t *held)
{
  const char *text = json_string_value(held);
  return (text && is_word(shape, text)) || refuse_kind(check, shape);
}

static bool check_integer(Check *check, const Shape *shape, const json_t *held)
{
  bool holds = is_of(held, JSON_INTEGER) && json_integer_value(held) >= shape->least;
  return holds || refuse_kind(check, shape);
}

static bool check_code(Check *check, const Shape *shape, const json_t *held)
{
  char digits[24];
  snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(held));
  return (is_of(held, JSON_INTEGER) && is_word(shape, digits)) || refuse_kind(check, shape);
}

static bool check_boolean(Check *check, const Shape *shape, const json_t *held)
{
  return is_of(held, JSON_TRUE) || is_of(held, JSON_FALSE) || refuse_kind(check, shape);
}

// --- Lists and objects ---------------------------------------------------------------------------
// The tables are trees of five levels, so the recursion ends.

static bool check_value(Check *check, const Shape *shape, const json_t *held);

// Whether no string is in the list twice. If one is, the place is left at the second.
static bool check_unique(Check *check, const json_t *list)
{
  bool good = true;
  json_t *known = json_object();
  for (size_t i = 0; good && i < json_array_size(list); ++i) {
    const char *text = json_string_value(json_array_get(list, i));
    bool twice = json_object_get(known, text) != NULL;
    if (!twice && json_object_set_new(known, text, json_true()) == 0) continue;
    inspect_json_place_enter_item(check->place, i);
    good = refuse(check, twice ? "is listed twice" : "cannot be checked: out of memory");
  }
  json_decref(known);
  return good;
}

static bool check_array(Check *check, const Shape *shape, const json_t *list)
{
  size_t size = json_array_size(list);
  if (!is_of(list, JSON_ARRAY)) return refuse_kind(check, shape);
  if (size < (size_t)shape->least) return refuse(check, "must not be empty");
  if (shape->most && size > shape->most) return refuse(check, "has too many items");
  for (size_t i = 0; i < size; ++i) {
    inspect_json_place_enter_item(check->place, i);
    if (!check_value(check, shape->item, json_array_get(list, i))) return false;
    inspect_json_place_leave(check->place);
  }
  return !shape->unique || check_unique(check, list);
}

// A member of the object that the table does not have, or NULL.
static const char *unknown_member(const ShapeMember *members, const json_t *object)
{
  const char *key;
  json_t *held;
  json_object_foreach((json_t *)object, key, held)
  {
    const ShapeMember *known = members;
    while (known->name && strcmp(known->name, key) != 0) ++known;
    if (!known->name) return key;
  }
  return NULL;
}

static bool check_object(Check *check, const Shape *shape, const json_t *object)
{
  size_t count = 0;
  if (!is_of(object, JSON_OBJECT)) return refuse_kind(check, shape);
  for (const ShapeMember *member = shape->members; member->name; ++member) {
    const json_t *held = json_object_get(object, member->name);
    if (!held && member->required) return refuse(check, "lacks \"%s\"", member->name);
    if (!held) continue;
    inspect_json_place_enter(check->place, member->name);
    if (!check_value(check, member->shape, held)) return false;
    inspect_json_place_leave(check->place);
    ++count;
  }
  if (json_object_size(object) == count) return true;
  inspect_json_place_enter(check->place, unknown_member(shape->members, object));
  return refuse(check, "is not a member of a report");
}

static bool check_value(Check *check, const Shape *shape, const json_t *held)
{
  static bool (*const by_kind[])(Check *, const Shape *, const json_t *) = {
      [SHAPE_STRING] = check_string,   [SHAPE_WORD] = check_word,   [SHAPE_INTEGER] = check_integer,
      [SHAPE_CODE] = check_code,       [SHAPE_ARRAY] = check_array, [SHAPE_OBJECT] = check_object,
      [SHAPE_BOOLEAN] = check_boolean,
  };
  if (shape->nullable && is_of(held, JSON_NULL)) return true;
  return by_kind[shape->kind](check, shape, held);
}

bool report_shape_holds(const json_t *root, InspectJsonPlace *place, char *what, size_t what_size)
{
  Check check = {.place = place, .what = what, .what_size = what_size};
  bool holds = check_value(&check, &shape_report, root);
  for (size_t i = 0; i < PATTERNS; ++i)
    if (check.is_compiled[i]) regfree(&check.compiled[i]);
  return holds;
}
