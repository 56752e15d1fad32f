// SPDX-License-Identifier: Apache-2.0
// The names that the expressions of a form may use, and these expressions.
#include <stdio.h>
#include <string.h>

#include "expression/expression.h"
#include "signature/signature_reading.h"

const ReadingName *reading_find_name(const Reading *reading, const char *name)
{
  for (size_t i = 0; i < reading->name_count; ++i)
    if (strcmp(reading->names[i].name, name) == 0) return &reading->names[i];
  return NULL;
}

bool reading_is_size(const ReadingName *name)
{
  return name->kind == READING_SIZE || name->kind == READING_EACH;
}

static bool add_name(Reading *reading, const char *name, size_t length, ReadingNameKind kind,
                     int64_t size)
{
  ReadingName added = {.kind = kind, .size = size};
  if (length == 0 || length >= sizeof added.name) return true;
  memcpy(added.name, name, length);
  if (reading_find_name(reading, added.name)) return true;
  if (reading->name_count == READING_NAMES_MAX)
    return reading_complain(reading, "", "more than %d names", READING_NAMES_MAX);
  reading->names[reading->name_count++] = added;
  return true;
}

// --- What is there -------------------------------------------------------------------------------

// The first size of a name in "sizes"; -1 if it is not listed. Wrong ones are refused later.
static int64_t listed_size(const json_t *form, const char *name)
{
  const json_t *size = json_object_get(json_object_get(form, "sizes"), name);
  if (json_is_array(size)) size = json_array_get(size, 0);
  return json_is_integer(size) ? json_integer_value(size) : -1;
}

// The example of an int: its value, or the first of its values; -1 if it says none.
static int64_t example_of(const json_t *type)
{
  const json_t *value = json_object_get(type, "value");
  if (!value) value = json_array_get(json_object_get(type, "values"), 0);
  return json_is_integer(value) ? json_integer_value(value) : -1;
}

static bool is_plain_int(const json_t *type)
{
  const char *kind = json_string_value(json_object_get(type, "kind"));
  return kind && strcmp(kind, "int") == 0 && !json_is_true(json_object_get(type, "optional"));
}

// A shape, or an array of ints, and never None.
static bool is_numbers(const json_t *type)
{
  const char *kind = json_string_value(json_object_get(type, "kind"));
  const json_t *element = json_object_get(type, "element");
  if (!kind || json_is_true(json_object_get(type, "optional"))) return false;
  return strcmp(kind, "shape") == 0 || (strcmp(kind, "array") == 0 && is_plain_int(element));
}

static bool collect_parameter(Reading *reading, const json_t *form, const json_t *type, bool rest)
{
  const char *name = json_string_value(json_object_get(type, "name"));
  if (!name || !*name) return true;
  if (reading_find_name(reading, name))
    return reading_complain(reading, "name", "another parameter is called \"%.40s\", too", name);
  const bool is_int = is_plain_int(type) && !rest;
  int64_t size = is_int ? example_of(type) : -1, listed = listed_size(form, name);
  const json_t *sizes = json_object_get(json_object_get(form, "sizes"), name);
  if (sizes && (!is_int || json_is_array(sizes)))
    return reading_complain(
        reading, "name", "\"%.40s\" is in \"sizes\", too: give \"value\" or \"values\" here", name);
  if (listed >= 0 && size >= 0 && listed != size)
    return reading_complain(reading, "value", "%s is %lld here, and %lld in \"sizes\"", name,
                            (long long)size, (long long)listed);
  const ReadingNameKind kind = is_int                      ? READING_INT
                               : !rest && is_numbers(type) ? READING_NUMBERS
                                                           : READING_PARAMETER;
  return add_name(reading, name, strlen(name), kind, size < 0 ? listed : size);
}

static bool collect_word(Reading *reading, const json_t *form, const char *word, size_t length)
{
  char name[SIGNATURE_SYMBOL_MAX];
  const ReadingNameKind kind = length && *word == '?' ? READING_EACH : READING_SIZE;
  if (length && (*word == '#' || kind == READING_EACH)) ++word, --length;
  if (length >= sizeof name) return true;
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  if (!expression_is_name(name) || strcmp(name, "_") == 0) return true;
  return add_name(reading, name, length, kind, listed_size(form, name));
}

static bool collect_shape(Reading *reading, const json_t *form, const json_t *shape)
{
  const char *text = json_string_value(shape);
  for (size_t length; text && *text; text += length) {
    text += strspn(text, " ");
    length = strcspn(text, " ");
    if (!collect_word(reading, form, text, length)) return false;
  }
  for (size_t i = 0; i < json_array_size(shape); ++i) {
    const json_t *word = json_array_get(shape, i);
    if (json_is_string(word) &&
        !collect_word(reading, form, json_string_value(word), json_string_length(word)))
      return false;
  }
  return true;
}

// The sizes in a type and the types within it. What a callback takes and returns has no sizes of
// its own.
static bool collect_sizes(Reading *reading, const json_t *form, const json_t *type, int depth)
{
  static const char *const lists[] = {"elements", "any_of"}, *const single[] = {"element", "key"};
  const char *name;
  json_t *entry;
  if (depth > SIGNATURE_DEPTH_MAX) return true;
  if (!collect_shape(reading, form, json_object_get(type, "shape")) ||
      !collect_shape(reading, form, json_object_get(type, "extents")))
    return false;
  for (int i = 0; i < 2; ++i) {
    const json_t *list = json_object_get(type, lists[i]);
    if (!collect_sizes(reading, form, json_object_get(type, single[i]), depth + 1)) return false;
    for (size_t k = 0; k < json_array_size(list); ++k)
      if (!collect_sizes(reading, form, json_array_get(list, k), depth + 1)) return false;
  }
  json_object_foreach(json_object_get(type, "entries"), name, entry)
  {
    if (!collect_sizes(reading, form, entry, depth + 1)) return false;
  }
  return true;
}

bool reading_collect_names(Reading *reading, const json_t *form)
{
  const json_t *parameters = json_object_get(form, "parameters");
  const json_t *rest = json_object_get(form, "rest");
  const char *name;
  json_t *size;
  reading->name_count = 0;
  reading_enter(reading, "parameters");
  for (size_t i = 0; i < json_array_size(parameters); ++i) {
    reading_enter_item(reading, i);
    if (!collect_parameter(reading, form, json_array_get(parameters, i), false)) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  reading_enter(reading, "rest");
  if (!collect_parameter(reading, form, rest, true)) return false;
  reading_leave(reading);
  for (size_t i = 0; i < json_array_size(parameters); ++i)
    if (!collect_sizes(reading, form, json_array_get(parameters, i), 0)) return false;
  if (!collect_sizes(reading, form, rest, 0)) return false;
  json_object_foreach(json_object_get(form, "sizes"), name, size)
  {
    if (!add_name(reading, name, strlen(name), READING_SIZE, listed_size(form, name))) return false;
  }
  return true;
}

// --- Expressions ---------------------------------------------------------------------------------

static bool may_use(const ReadingName *name, ReadingScope scope)
{
  return name && name->kind != READING_EACH &&
         (scope != READING_EXTENT || name->kind != READING_PARAMETER);
}

static bool complain_of_name(Reading *reading, const char *member, const char *name,
                             ReadingScope scope)
{
  char known[300] = "nothing";
  size_t length = 0;
  for (size_t i = 0; i < reading->name_count && length < sizeof known; ++i)
    if (may_use(&reading->names[i], scope))
      length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "",
                                 reading->names[i].name);
  const ReadingName *found = reading_find_name(reading, name);
  if (reading_is_let(reading, name))
    return reading_complain(reading, member,
                            "\"%s\" is a name of \"let\", which only formulas of \"expected\", "
                            "\"where\" and \"when\" know",
                            name);
  if (found && found->kind == READING_EACH)
    return reading_complain(reading, member,
                            "\"%s\" is a size of each element (\"?%s\"), which no expression knows",
                            name, name);
  return reading_complain(
      reading, member, "\"%s\" is %s (known here: %s)", name,
      found ? "no size, and no parameter that is always an int" : "neither a size nor a parameter",
      known);
}

bool reading_expression(Reading *reading, const char *member, const char *text, ReadingScope scope)
{
  ExpressionError error;
  Expression *expression = expression_parse(text, &error);
  if (!expression)
    return reading_complain(reading, member, "\"%.100s\": character %zu: %s", text, error.position,
                            error.message);
  bool good = true;
  for (size_t i = 0; good && expression_name(expression, i); ++i)
    if (!may_use(reading_find_name(reading, expression_name(expression, i)), scope))
      good = complain_of_name(reading, member, expression_name(expression, i), scope);
  expression_free(expression);
  return good;
}

// Whether there are names, numbers, brackets and arithmetic alone in the text, and no words of conditions.
static bool is_arithmetic(const char *text)
{
  static const char *const words[] = {"and", "or", "if", "else", "not", "is", "in", NULL};
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (const char *at = text; *at;) {
    const size_t size = strspn(at, letters);
    for (size_t i = 0; size > 0 && words[i]; ++i)
      if (strlen(words[i]) == size && memcmp(words[i], at, size) == 0) return false;
    if (size == 0 && !strchr("+-*/%() ", *at)) return false;
    at += size > 0 ? size : 1;
  }
  return true;
}

// Whether the text is a number worked out of sizes and int parameters alone.
static bool is_of_sizes(const Reading *reading, const char *text)
{
  ExpressionError error;
  if (!is_arithmetic(text)) return false;
  Expression *expression = expression_parse(text, &error);
  bool good = expression != NULL;
  for (size_t i = 0; good && expression_name(expression, i); ++i) {
    const ReadingName *name = reading_find_name(reading, expression_name(expression, i));
    good = name && (name->kind == READING_SIZE || name->kind == READING_INT);
  }
  expression_free(expression);
  return good;
}

const char *reading_length_in_conditions(const Reading *reading, const json_t *parameter,
                                         ReadingText *room)
{
  const char *name = json_string_value(json_object_get(parameter, "name"));
  const json_t *where = json_object_get(reading->form, "where");
  char begin[2 * SIGNATURE_NAME_MAX + 32], unless[SIGNATURE_NAME_MAX + 16];
  if (!name || strlen(name) >= SIGNATURE_NAME_MAX) return NULL;
  const int size = snprintf(begin, sizeof begin, "len(%s) == ", name);
  snprintf(unless, sizeof unless, "%s is None or ", name);
  for (size_t i = 0; i < json_array_size(where) && i < READING_CONDITIONS_MAX; ++i) {
    const char *text = json_string_value(json_array_get(where, i));
    if (text) text = reading_replace_names(reading, text, room);
    if (text && strncmp(text, unless, strlen(unless)) == 0) text += strlen(unless);
    if (text && strncmp(text, begin, (size_t)size) == 0 && is_of_sizes(reading, text + size))
      return text + size;
  }
  return NULL;
}

// Sizes that nobody listed are 4 in the example, or another number that satisfies the signature.
static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  const ReadingName *found = reading_find_name(context, name);
  return found && found->size >= 0 &&
         expression_value_scalar(value, EXPRESSION_INT, (long double)found->size);
}

int64_t reading_extent_size(const Reading *reading, const char *text)
{
  ExpressionScope scope = {.lookup = look_up, .context = (void *)(uintptr_t)reading};
  ExpressionError error;
  Expression *expression = expression_parse(text, &error);
  int64_t size = -1;
  if (!expression || !expression_integer(expression, &scope, &size, &error)) size = -1;
  expression_free(expression);
  return size;
}
