// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_linear.h"

#include <string.h>

// A size that is looked for.
typedef struct Trial {
  const char *name;
  int64_t size;
  const ExpressionScope *others;
} Trial;

static bool look_up(void *context, const char *name, ExpressionValue *value)
{
  const Trial *trial = context;
  if (strcmp(name, trial->name) == 0)
    return expression_value_scalar(value, EXPRESSION_INT, trial->size);
  return trial->others->lookup(trial->others->context, name, value);
}

static bool extent_for(const Expression *expression, Trial *trial, int64_t size, int64_t *extent)
{
  ExpressionError error;
  const ExpressionScope scope = {.lookup = look_up, .context = trial};
  trial->size = size;
  return expression_integer(expression, &scope, extent, &error);
}

bool kernel_solve_size(const Expression *expression, const char *name,
                       const ExpressionScope *others, int64_t extent, int64_t *size)
{
  Trial trial = {.name = name, .others = others};
  int64_t at[3], there, next, ahead, step;
  for (int64_t i = 0; i < 3; ++i)
    if (!extent_for(expression, &trial, i, &at[i])) return false;
  if (__builtin_sub_overflow(at[1], at[0], &step) || step == 0 ||
      __builtin_sub_overflow(at[2], at[1], &next) || next != step ||
      __builtin_sub_overflow(extent, at[0], &ahead) || (step == -1 && ahead == INT64_MIN) ||
      ahead % step != 0)
    return false;
  *size = ahead / step;
  return *size >= 0 && extent_for(expression, &trial, *size, &there) && there == extent &&
         extent_for(expression, &trial, *size + 1, &next) && next - there == step;
}
