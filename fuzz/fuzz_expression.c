// SPDX-License-Identifier: Apache-2.0
// Expressions of signature files: parsed, and worked out within narrow limits.
#include <math.h>
#include <string.h>

#include "expression/expression.h"
#include "fuzz_target.h"

enum { ELEMENTS = 1024, MEMORY = 1 << 20, STEPS = 1 << 18 };

// A few values of each kind, by the first letter of the name.
static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  (void)context;
  FUZZ_CHECK(expression_is_name(name));
  switch (name[0]) {
    case 'k':
      return expression_value_scalar(value, EXPRESSION_INT, -3);
    case 'h':
      return expression_value_scalar(value, EXPRESSION_FLOAT, 2.5L);
    case 'm':
      return expression_value_string(value, "relu", 4);
    case 'o':
      return true;
    case 'p':
      return expression_value_tuple(value, 2) &&
             expression_value_new(&value->items[0], EXPRESSION_INT, 1, (int64_t[]){3}) &&
             expression_value_new(&value->items[1], EXPRESSION_BOOL, 2, (int64_t[]){2, 0});
    case 'x':
      if (!expression_value_new(value, EXPRESSION_FLOAT, 2, (int64_t[]){2, 3})) return false;
      for (size_t i = 0; i < value->count; ++i) value->elements[i] = (long double)i - 1.5L;
      value->dtype = "float32";
      return true;
    default:
      return name[0] == 'n' && expression_value_scalar(value, EXPRESSION_INT, 4);
  }
}

static void check_error(const char *text, const ExpressionError *error)
{
  FUZZ_CHECK(error->message[0] != '\0');
  FUZZ_CHECK(memchr(error->message, '\0', sizeof error->message) != NULL);
  FUZZ_CHECK(error->position >= 1 && error->position <= strlen(text) + 1);
  fuzz_is_line(error->message);
}

static void check_elements(const ExpressionValue *value)
{
  size_t count = 1;
  FUZZ_CHECK(value->rank >= 0 && value->rank <= EXPRESSION_RANK_MAX);
  for (int32_t k = 0; k < value->rank; ++k) count *= (size_t)value->shape[k];
  FUZZ_CHECK(count == value->count && count <= ELEMENTS);
  for (size_t i = 0; i < count; ++i) {
    long double one = value->elements[i];
    if (value->kind == EXPRESSION_BOOL) FUZZ_CHECK(one == 0 || one == 1);
    if (value->kind == EXPRESSION_INT)
      FUZZ_CHECK(one >= -0x1p63L && one < 0x1p64L && truncl(one) == one);
  }
}

static void check_value(const ExpressionValue *value, bool inside)
{
  FUZZ_CHECK(value->kind <= EXPRESSION_TUPLE);
  if (value->kind >= EXPRESSION_BOOL && value->kind <= EXPRESSION_FLOAT) check_elements(value);
  if (value->kind == EXPRESSION_STRING) FUZZ_CHECK(value->string[value->count] == '\0');
  if (value->kind != EXPRESSION_TUPLE) return;
  FUZZ_CHECK(!inside);
  for (size_t i = 0; i < value->count; ++i) check_value(&value->items[i], true);
}

static void check_names(const char *text, const Expression *expression)
{
  size_t before = 0;
  for (size_t i = 0; expression_name(expression, i); ++i) {
    const char *name = expression_name(expression, i);
    FUZZ_CHECK(expression_is_name(name) && strstr(text, name) != NULL);
    FUZZ_CHECK(expression_name_position(expression, i) > before);
    before = expression_name_position(expression, i);
  }
}

// Whether all holds, and what the only element is, agree with the value.
static void check_shortcuts(const Expression *expression, const ExpressionScope *scope,
                            const ExpressionValue *value)
{
  ExpressionError error;
  bool holds = false, all = true;
  long double number = 0;
  bool array = value->kind >= EXPRESSION_BOOL && value->kind <= EXPRESSION_FLOAT;
  FUZZ_CHECK(expression_holds(expression, scope, &holds, &error) == array);
  for (size_t i = 0; array && i < value->count; ++i) all = all && value->elements[i] != 0;
  FUZZ_CHECK(!array || holds == all);
  bool single = expression_number(expression, scope, &number, &error);
  FUZZ_CHECK(single == (array && value->count == 1));
  FUZZ_CHECK(!single || number == value->elements[0] || isnan(number));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ExpressionError error;
  ExpressionValue value;
  ExpressionScope scope = {
      .lookup = look_up, .elements_max = ELEMENTS, .memory_max = MEMORY, .steps_max = STEPS};
  char *text = malloc(size + 1);
  FUZZ_CHECK(text != NULL);
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  Expression *expression = expression_parse(text, &error);
  if (!expression) {
    check_error(text, &error);
  } else {
    FUZZ_CHECK(strcmp(expression_text(expression), text) == 0);
    check_names(text, expression);
    if (expression_evaluate(expression, &scope, &value, &error)) {
      check_value(&value, false);
      check_shortcuts(expression, &scope, &value);
    } else {
      check_error(text, &error);
      FUZZ_CHECK(value.kind == EXPRESSION_NONE);
    }
    expression_value_free(&value);
  }
  expression_free(expression);
  free(text);
  return 0;
}
