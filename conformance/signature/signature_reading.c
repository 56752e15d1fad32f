// SPDX-License-Identifier: Apache-2.0
// Complaints, and the members of objects.
#include "signature/signature_reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLACE_MAX = 512, LIST_MAX = 400 };

// What the file says, and what is said of it, is shown on a terminal.
static void make_printable(char *text)
{
  for (char *c = text; *c; ++c)
    if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
}

bool reading_complain(Reading *reading, const char *member, const char *format, ...)
{
  char message[1000], place[PLACE_MAX];
  const bool inside = *member;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  make_printable(message);
  if (inside) reading_enter(reading, member);
  unsigned line = inspect_json_place_line(&reading->place, reading->text, reading->size);
  inspect_json_place_text(&reading->place, place, sizeof place);
  if (inside) reading_leave(reading);
  make_printable(place);
  snprintf(reading->error, reading->error_size, "%s:%u: %s%s%s", reading->path, line, place,
           place[0] ? ": " : "", message);
  return false;
}

void reading_enter(Reading *reading, const char *member)
{
  inspect_json_place_enter(&reading->place, member);
}

void reading_enter_item(Reading *reading, size_t index)
{
  inspect_json_place_enter_item(&reading->place, index);
}

void reading_leave(Reading *reading)
{
  inspect_json_place_leave(&reading->place);
}

// "a, b, c", from a list that ends with NULL.
static const char *list_of(const char *const *words, char text[LIST_MAX])
{
  size_t length = 0;
  text[0] = '\0';
  for (size_t i = 0; words[i] && length < LIST_MAX; ++i)
    length += (size_t)snprintf(text + length, LIST_MAX - length, "%s%s", i ? ", " : "", words[i]);
  return text;
}

bool reading_check_members(Reading *reading, const json_t *object, const char *const *known)
{
  const char *name;
  char list[LIST_MAX];
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, name, value)
  {
    size_t i = 0;
    while (known[i] && strcmp(known[i], name) != 0) ++i;
    if (!known[i])
      return reading_complain(reading, name, "unknown member (known here: %s)",
                              list_of(known, list));
    if (strcmp(name, "text") == 0 && !json_is_string(value))
      return reading_complain(reading, name, "expected a string");
  }
  return true;
}

// Whether the texts of a member are values. Those of its members are, too.
static bool holds_values(const char *member)
{
  static const char *const members[] = {"value", "values", "with", "arguments"};
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
    if (strcmp(member, members[i]) == 0) return true;
  return false;
}

typedef struct ReadingLevel {
  json_t *node;
  void *member;  // the next of an object
  size_t item;   // the next of a list
  bool values;
} ReadingLevel;

static ReadingLevel level_of(const json_t *node, bool values)
{
  json_t *own = (json_t *)(uintptr_t)node;
  return (ReadingLevel){own, json_object_iter(own), 0, values};
}

// The next value of the level, with the reading entered into it; NULL behind the last.
static json_t *next_value(Reading *reading, ReadingLevel *level, bool *values)
{
  json_t *value = NULL;
  *values = level->values;
  if (level->member) {
    const char *key = json_object_iter_key(level->member);
    value = json_object_iter_value(level->member);
    *values |= holds_values(key);
    reading_enter(reading, key);
    level->member = json_object_iter_next(level->node, level->member);
  } else if (level->item < json_array_size(level->node)) {
    value = json_array_get(level->node, level->item);
    reading_enter_item(reading, level->item++);
  }
  return value;
}

bool reading_check_nuls(Reading *reading, const json_t *root)
{
  ReadingLevel levels[INSPECT_JSON_DEPTH];
  size_t depth = 0;
  levels[depth++] = level_of(root, false);
  while (depth > 0) {
    bool values;
    const json_t *value = next_value(reading, &levels[depth - 1], &values);
    if (!value) {
      if (--depth > 0) reading_leave(reading);
      continue;
    }
    if (json_is_string(value) && !values &&
        strlen(json_string_value(value)) != json_string_length(value))
      return reading_complain(reading, "", "only values may have a NUL");
    if (!json_is_object(value) && !json_is_array(value)) {
      reading_leave(reading);
      continue;
    }
    if (depth == INSPECT_JSON_DEPTH)
      return reading_complain(reading, "", "more than %d levels", INSPECT_JSON_DEPTH);
    levels[depth++] = level_of(value, values);
  }
  return true;
}

bool reading_take_text(Reading *reading, const json_t *object, const char *member, size_t capacity,
                       SignatureText *out)
{
  const json_t *value = json_object_get(object, member);
  if (!value) return true;
  if (!json_is_string(value)) return reading_complain(reading, member, "expected a string");
  if (json_string_length(value) >= capacity)
    return reading_complain(reading, member, "longer than %zu bytes", capacity - 1);
  *out = reading_add_text(reading, json_string_value(value));
  return true;
}

bool reading_take_bool(Reading *reading, const json_t *object, const char *member, bool *out)
{
  const json_t *value = json_object_get(object, member);
  if (value && !json_is_boolean(value))
    return reading_complain(reading, member, "expected true or false");
  if (value) *out = json_is_true(value);
  return true;
}

bool reading_take_word(Reading *reading, const json_t *object, const char *member,
                       const char *const *words, unsigned *out)
{
  const json_t *value = json_object_get(object, member);
  char list[LIST_MAX];
  if (!value) return true;
  if (!json_is_string(value)) return reading_complain(reading, member, "expected a string");
  for (unsigned i = 0; words[i]; ++i)
    if (strcmp(words[i], json_string_value(value)) == 0) {
      *out = i;
      return true;
    }
  return reading_complain(reading, member, "unknown %s \"%.60s\" (known: %s)", member,
                          json_string_value(value), list_of(words, list));
}

bool reading_take_words(Reading *reading, const json_t *list, const char *member, const char *one,
                        const char *const *words, unsigned *bits)
{
  char known[LIST_MAX];
  reading_enter(reading, member);
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *word = json_string_value(json_array_get(list, i));
    unsigned bit = 0;
    for (unsigned k = 0; word && words[k]; ++k)
      if (strcmp(words[k], word) == 0) bit = 1U << k;
    reading_enter_item(reading, i);
    if (!bit)
      return reading_complain(reading, "", "unknown %s \"%.40s\" (known: %s)", one,
                              word ? word : "", list_of(words, known));
    *bits |= bit;
    reading_leave(reading);
  }
  reading_leave(reading);
  return true;
}

SignatureText reading_add_text(Reading *reading, const char *text)
{
  return signature_add_text(reading->build, text, strlen(text));
}
