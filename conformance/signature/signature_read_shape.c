// SPDX-License-Identifier: Apache-2.0
// Shapes: "n 2*d", "... m", "*batch m", [1, "n"].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression.h"
#include "signature/signature_reading.h"

static const double elements_max = 1 << 24;

typedef struct Shape {
  SignatureExtent extents[SIGNATURE_RANK_MAX];
  size_t count;
  bool of_tensor, in_result, any_rank;
  double elements;  // of those extents that are known
} Shape;

static bool is_number(const char *word)
{
  return *word && word[strspn(word, "0123456789")] == '\0';
}

static bool read_number(Reading *reading, const char *digits, SignatureExtent *out)
{
  if (strlen(digits) > 18) return reading_complain(reading, "", "\"%.40s\" is too large", digits);
  out->form = SIGNATURE_EXTENT_NUMBER;
  out->number = strtoll(digits, NULL, 10);
  return true;
}

// "*batch" and "...".
static bool read_ranks(Reading *reading, const char *word, Shape *shape, SignatureExtent *out)
{
  if (shape->any_rank)
    return reading_complain(reading, "", "\"%s\": a shape has \"...\" or \"*name\" once", word);
  shape->any_rank = true;
  out->form = SIGNATURE_EXTENT_ANY_RANK;
  if (strcmp(word, "...") == 0) return true;
  out->form = SIGNATURE_EXTENT_NAMED_RANK;
  if (!expression_is_name(word + 1) || strlen(word + 1) >= SIGNATURE_SYMBOL_MAX)
    return reading_complain(reading, "", "\"%.40s\": expected a name of up to %d letters behind *",
                            word, SIGNATURE_SYMBOL_MAX - 1);
  out->text = reading_add_text(reading, word + 1);
  return true;
}

static unsigned count_each(const Reading *reading)
{
  unsigned count = 0;
  for (size_t i = 0; i < reading->name_count; ++i) count += reading->names[i].kind == READING_EACH;
  return count;
}

// "?n"
static bool read_each(Reading *reading, const char *word, const Shape *shape, SignatureExtent *out)
{
  const ReadingName *name = reading_find_name(reading, word + 1);
  if (!expression_is_name(word + 1) || strcmp(word, "?_") == 0 ||
      strlen(word + 1) >= SIGNATURE_SYMBOL_MAX)
    return reading_complain(reading, "", "\"%.40s\": expected a name of up to %d letters behind ?",
                            word, SIGNATURE_SYMBOL_MAX - 1);
  if (!shape->of_tensor || reading->arrays != 1)
    return reading_complain(
        reading, "",
        "\"%.40s\" is a size of each element: it stands in tensors of an array, "
        "and not of arrays in arrays",
        word);
  if (!name && shape->in_result)
    return reading_complain(reading, "", "\"%.40s\" is in no parameter's shape", word);
  if (!name || name->kind != READING_EACH)
    return reading_complain(
        reading, "",
        "\"%.40s\" cannot be both a size of each element (\"?%.40s\") and one of the call",
        word + 1, word + 1);
  if (count_each(reading) > SIGNATURE_EACH_MAX)
    return reading_complain(reading, "", "more than %d sizes of elements", SIGNATURE_EACH_MAX);
  out->form = SIGNATURE_EXTENT_EACH;
  out->text = reading_add_text(reading, word + 1);
  return true;
}

static bool read_expression(Reading *reading, const char *word, SignatureExtent *out)
{
  if (expression_is_name(word) && strlen(word) >= SIGNATURE_SYMBOL_MAX)
    return reading_complain(reading, "", "a symbol has 1 to %d letters", SIGNATURE_SYMBOL_MAX - 1);
  if (!reading_expression(reading, "", word, READING_EXTENT)) return false;
  out->text = reading_add_text(reading, word);
  return true;
}

static bool is_unknown_size(const Reading *reading, const char *word)
{
  return expression_is_name(word) && !reading_find_name(reading, word);
}

// "b=4": the name is for people.
static bool read_named_number(Reading *reading, const char *word, const char *equals,
                              SignatureExtent *out)
{
  char name[SIGNATURE_SYMBOL_MAX];
  size_t length = (size_t)(equals - word);
  snprintf(name, sizeof name, "%.*s", (int)length, word);
  if (length >= sizeof name || !expression_is_name(name) || !is_number(equals + 1))
    return reading_complain(reading, "", "\"%.40s\": expected NAME=NUMBER", word);
  out->text = reading_add_text(reading, name);
  return read_number(reading, equals + 1, out);
}

static bool read_word(Reading *reading, const char *word, Shape *shape, SignatureExtent *out)
{
  const char *equals = strchr(word, '=');
  if (!*word)
    return reading_complain(reading, "", "a symbol has 1 to %d letters", SIGNATURE_SYMBOL_MAX - 1);
  if (strpbrk(word, " \t"))
    return reading_complain(reading, "", "\"%.60s\": an extent is written without spaces", word);
  if (is_number(word)) return read_number(reading, word, out);
  if (strcmp(word, "...") == 0 || *word == '*') return read_ranks(reading, word, shape, out);
  if (strcmp(word, "_") == 0) {
    out->form = SIGNATURE_EXTENT_ANY;
    return true;
  }
  if (*word == '?') return read_each(reading, word, shape, out);
  if (equals && equals[1] != '=' && equals != word && !strchr("<>!=", equals[-1]))
    return read_named_number(reading, word, equals, out);
  const bool broadcast = *word == '#';
  word += broadcast;
  out->form = broadcast ? SIGNATURE_EXTENT_BROADCAST : SIGNATURE_EXTENT_EXPRESSION;
  if (shape->in_result && is_unknown_size(reading, word))
    return reading_complain(
        reading, "",
        "\"%.40s\" is in no parameter's shape (write \"_\" for an extent that only "
        "the function knows)",
        word);
  if (!read_expression(reading, word, out)) return false;
  int64_t size = reading_extent_size(reading, word);
  if (size >= 0) shape->elements *= (double)size;
  return true;
}

static bool add_word(Reading *reading, const char *word, Shape *shape)
{
  SignatureExtent *extent = &shape->extents[shape->count];
  if (shape->count == SIGNATURE_RANK_MAX)
    return reading_complain(reading, "", "a shape has at most %d extents", SIGNATURE_RANK_MAX);
  *extent = (SignatureExtent){0};
  if (!read_word(reading, word, shape, extent)) return false;
  if (extent->form == SIGNATURE_EXTENT_NUMBER) shape->elements *= (double)extent->number;
  ++shape->count;
  return true;
}

// "n 2*d"
static bool read_text(Reading *reading, const char *text, Shape *shape)
{
  char word[128];
  for (size_t length; *(text += strspn(text, " ")); text += length) {
    length = strcspn(text, " ");
    if (length >= sizeof word)
      return reading_complain(reading, "", "\"%.40s...\" is longer than %zu bytes", text,
                              sizeof word - 1);
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (!add_word(reading, word, shape)) return false;
  }
  return true;
}

static bool read_item(Reading *reading, const json_t *item, Shape *shape)
{
  if (json_is_string(item)) return add_word(reading, json_string_value(item), shape);
  if (!json_is_integer(item)) return reading_complain(reading, "", "expected a number or a symbol");
  if (json_integer_value(item) < 0)
    return reading_complain(reading, "", "an extent must not be negative");
  shape->extents[shape->count++] =
      (SignatureExtent){.form = SIGNATURE_EXTENT_NUMBER, .number = json_integer_value(item)};
  shape->elements *= (double)json_integer_value(item);
  return true;
}

bool reading_shape(Reading *reading, const json_t *shape, const char *member, bool in_result,
                   SignatureRange *out)
{
  Shape all = {.of_tensor = strcmp(member, "shape") == 0, .in_result = in_result, .elements = 1};
  if (!json_is_array(shape) && !json_is_string(shape))
    return reading_complain(reading, member, "expected a shape such as \"n 2*d\" or [\"n\", 4]");
  if (json_array_size(shape) > SIGNATURE_RANK_MAX)
    return reading_complain(reading, member, "a shape has at most %d extents", SIGNATURE_RANK_MAX);
  reading_enter(reading, member);
  if (json_is_string(shape) && !read_text(reading, json_string_value(shape), &all)) return false;
  for (size_t i = 0; i < json_array_size(shape); ++i) {
    reading_enter_item(reading, i);
    if (!read_item(reading, json_array_get(shape, i), &all)) return false;
    reading_leave(reading);
  }
  reading_leave(reading);
  if (all.elements > elements_max)
    return reading_complain(reading, member, "more than 2^24 elements");
  *out = signature_add_extents(reading->build, all.extents, all.count);
  return true;
}
