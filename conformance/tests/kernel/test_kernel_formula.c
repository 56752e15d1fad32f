// SPDX-License-Identifier: Apache-2.0
// Formulas of signature files: what they come to, and where one is not understood.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_formula.h"
#include "unit/unit.h"

// Knows `x` as 5, `long_name_2` as 7 and `n` as 11.
static bool look_up(void *context, const char *name, size_t size, double *value)
{
  static const struct {
    const char *name;
    double value;
  } known[] = {{"x", 5}, {"long_name_2", 7}, {"n", 11}, {"_", 13}};
  ++*(int *)context;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
    if (strlen(known[i].name) != size || memcmp(known[i].name, name, size) != 0) continue;
    *value = known[i].value;
    return true;
  }
  return false;
}

typedef struct Sound {
  const char *formula;
  double value;
} Sound;

static const Sound sound[] = {
    {"1", 1},
    {"  2.5  ", 2.5},
    {".5", 0.5},
    {"1e3", 1000},
    {"x", 5},
    {"long_name_2+_", 20},
    {"1 + 2 * 3", 7},
    {"1 * 2 + 3", 5},
    {"10 - 4 - 3", 3},
    {"12 / 4 / 3", 1},
    {"12 / 4 * 3", 9},
    {"1 - 2 / 4 + 2", 2.5},
    {"(1 + 2) * 3", 9},
    {"2 * (x - (1 + 1))", 6},
    {"-x", -5},
    {"--x", 5},
    {"-2 * 3 - -4", -2},
    {"2 * -3 + 1", -5},
    {"-(1 + 2)", -3},
    {"n - n", 0},
};

TEST(a_formula_comes_to_a_number, .rows = ROWS(sound))
{
  int asked = 0;
  double value = -4711;
  const char *wrong = kernel_formula_value(sound[_i].formula, look_up, &asked, &value);
  ck_assert_msg(wrong == NULL, "%s: not understood at \"%s\"", sound[_i].formula, wrong);
  ck_assert_msg(value == sound[_i].value, "%s: %g", sound[_i].formula, value);
}

// Behind each the place from which on it is not understood.
static const struct {
  const char *formula;
  size_t at;
} broken[] = {
    {"", 0},         {"   ", 3},         {"1 2", 2},  {"1 +", 3},   {"1 + * 2", 4}, {"* 2", 0},
    {"+2", 0},       {"(1", 2},          {"((1)", 4}, {"1)", 1},    {"()", 1},      {"(1 + )", 5},
    {"1 (2)", 2},    {"x x", 2},         {"-", 1},    {"1 n 2", 2}, {"y", 0},       {"1 + xx", 4},
    {"1 % 2", 2},    {".", 0},           {"1..2", 2}, {"1 + .", 4}, {"1e", 1},      {"x\t+1", 1},
    {"\xc3\xa4", 0}, {"1 + (2 * 3", 10},
};

TEST(the_place_that_is_not_understood_is_told, .rows = ROWS(broken))
{
  int asked = 0;
  double value = -4711;
  const char *formula = broken[_i].formula;
  const char *wrong = kernel_formula_value(formula, look_up, &asked, &value);
  ck_assert_msg(wrong != NULL, "%s: %g", formula, value);
  ck_assert_msg((size_t)(wrong - formula) == broken[_i].at, "%s: at %zu", formula,
                (size_t)(wrong - formula));
  ck_assert(value == -4711);
}

// As deep and as long as fits, and a character more: in memory that ends with the text.
TEST(a_formula_has_a_length)
{
  enum { LONGEST = 191 };
  static const char fillings[] = {'(', '-', ' ', '1'};
  for (size_t i = 0; i < sizeof fillings; ++i)
    for (size_t length = LONGEST; length <= LONGEST + 1; ++length) {
      int asked = 0;
      double value = 0;
      char *text = malloc(length + 1);
      ck_assert_ptr_nonnull(text);
      memset(text, fillings[i], length);
      text[length - 1] = 'x';
      if (fillings[i] == '1') memset(text + 1, '0', length - 1);
      text[length] = '\0';
      const char *wrong = kernel_formula_value(text, look_up, &asked, &value);
      if (length > LONGEST) {
        ck_assert_ptr_eq(wrong, text);
        ck_assert_int_eq(asked, 0);
      } else if (fillings[i] == '(') {
        ck_assert_ptr_eq(wrong, text + length);
      } else {
        ck_assert_ptr_null(wrong);
        ck_assert(fillings[i] == '1' ? value == 1e190 : value == 5);
      }
      free(text);
    }
}
