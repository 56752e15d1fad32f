// SPDX-License-Identifier: Apache-2.0
// Integers that count, by the conditions of a file: "ptr[-1] == n" says that offsets end with n,
// "sum(lengths) <= n" that parts add up to it.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "plan/kernel_build.h"

enum { TEXT_MAX = 256 };

static bool is_word(char letter)
{
  return isalnum((unsigned char)letter) || letter == '_' || letter == '.';
}

// Where `part` stands in a text, and no word goes on before it; NULL if it does not.
static const char *find_part(const char *text, const char *part)
{
  const char *at = strstr(text, part);
  while (at && at > text && is_word(at[-1])) at = strstr(at + 1, part);
  return at;
}

// What is on the other side of "==", or of a comparison that holds where both are equal: the end of it
// on the right, the beginning on the left.
static bool other_side(const char *text, const char *part, size_t size, char side[TEXT_MAX])
{
  static const char both[] = " and ";
  const char *right = part + size, *left = part, *from, *to;
  while (*right == ' ') ++right;
  while (left > text && left[-1] == ' ') --left;
  if (strncmp(right, "==", 2) == 0 || strncmp(right, "<=", 2) == 0) {
    from = right + 2;
    to = strstr(from, both);
    if (!to) to = from + strlen(from);
  } else if (left - text > 2 && left[-1] == '=' && (left[-2] == '=' || left[-2] == '>')) {
    to = left - 2;
    from = text;
    for (const char *next = text; (next = strstr(next, both)) && next < to;)
      from = next += strlen(both);
  } else {
    return false;
  }
  if (to <= from || to - from >= TEXT_MAX) return false;
  memcpy(side, from, (size_t)(to - from));
  side[to - from] = '\0';
  return strstr(side, " or ") == NULL;
}

static bool work_out(const Build *build, const char *text, double *out)
{
  KernelNames names;
  const ExpressionScope scope = build_scope(build, &names);
  ExpressionError error;
  int64_t number = -1;
  Expression *expression = expression_parse(text, &error);
  const bool known = expression && expression_integer(expression, &scope, &number, &error);
  expression_free(expression);
  *out = (double)number;
  return known && number >= 0;
}

bool build_counted(const Build *build, const char *name, KernelContents *contents, double *most)
{
  char last[KERNEL_WORD_MAX + 8], sum[KERNEL_WORD_MAX + 8], side[TEXT_MAX];
  if (!*name) return false;
  snprintf(last, sizeof last, "%s[-1]", name);
  snprintf(sum, sizeof sum, "sum(%s)", name);
  for (uint32_t i = 0; i < build->form->where.count; ++i) {
    const char *text = signature_condition(build->signature, build->form->where.first + i);
    const char *offsets = find_part(text, last), *parts = find_part(text, sum);
    if (offsets && other_side(text, offsets, strlen(last), side) && work_out(build, side, most)) {
      *contents = KERNEL_OFFSETS;
      return true;
    }
    if (parts && other_side(text, parts, strlen(sum), side) && work_out(build, side, most)) {
      *contents = KERNEL_PARTS;
      return true;
    }
  }
  return false;
}
