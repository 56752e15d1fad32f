// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_fitting.h"

#include <stdio.h>
#include <string.h>

#include "plan/kernel_choice.h"

const char *fitting_text(const Fitting *fitting, SignatureText text)
{
  return signature_text(fitting->signature, text);
}

void fitting_rule_out(Fitting *fitting, unsigned check)
{
  fitting->by |= check;
  ++fitting->count;
}

static bool size_at(const Fitting *fitting, const char *name, uint32_t place, int64_t *size)
{
  for (uint32_t i = 0; i < fitting->size_count; ++i)
    if (fitting->sizes[i].place == place && strcmp(fitting->sizes[i].name, name) == 0) {
      *size = fitting->sizes[i].size;
      return true;
    }
  return false;
}

bool fitting_size(const Fitting *fitting, const char *name, int64_t *size)
{
  return size_at(fitting, name, 0, size);
}

void fitting_bind_at(Fitting *fitting, const char *name, uint32_t place, int64_t size)
{
  int64_t known;
  if (size_at(fitting, name, place, &known)) {
    if (known != size) fitting_rule_out(fitting, SIGNATURE_CHECKS_SHAPE);
  } else if (fitting->size_count < SIZES_MAX) {
    fitting->sizes[fitting->size_count++] = (BoundSize){name, place, size};
  }
}

void fitting_bind(Fitting *fitting, const char *name, int64_t size)
{
  fitting_bind_at(fitting, name, 0, size);
}

bool fitting_look_up(void *context, const char *name, ExpressionValue *value)
{
  Fitting *fitting = context;
  const Kernel *kernel = fitting->kernel;
  const KernelElement *element = fitting->element;
  KernelNames names = {kernel, kernel->parameter_count, fitting->signature};
  int64_t size;
  if (fitting_size(fitting, name, &size))
    return expression_value_scalar(value, EXPRESSION_INT, size);
  // A size that no argument has alone may be another one in this call.
  if (!fitting->resizing && kernel_size_of(kernel, name, &size)) return false;
  if (!kernel_name_value(&names, name, value)) return false;
  if (element && strcmp(kernel->parameters[element->position].name, name) == 0 &&
      element->index < value->count && value->elements)
    value->elements[element->index] = element->value;
  return true;
}

bool fitting_is_broken(Fitting *fitting, const char *text)
{
  ExpressionError error;
  ExpressionScope scope = {.lookup = fitting_look_up, .context = fitting};
  Expression *condition = *text ? expression_parse(text, &error) : NULL;
  bool holds = true;
  bool known = condition && expression_holds(condition, &scope, &holds, &error);
  expression_free(condition);
  return known && !holds;
}

bool fitting_is_beyond(Fitting *fitting, const char *name, const char *relation, const char *limit)
{
  char text[EXPRESSION_TEXT_MAX];
  if (!*limit || !*name) return false;
  int size = snprintf(text, sizeof text, "%s %s (%s)", name, relation, limit);
  return size < (int)sizeof text && fitting_is_broken(fitting, text);
}
