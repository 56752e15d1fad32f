// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_condition.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// Whether this is within a text in quotes.
static bool is_quoted(const char *condition, const char *at)
{
  char quote = '\0';
  for (const char *c = condition; c < at; ++c) {
    if (quote ? *c == quote : *c == '\'' || *c == '"') quote = quote ? '\0' : *c;
  }
  return quote != '\0';
}

// Where the name is next one of the condition's, from here on; NULL: nowhere.
static const char *next_name(const char *condition, const char *from, const char *name)
{
  const size_t size = strlen(name);
  for (const char *at = size ? strstr(from, name) : NULL; at; at = strstr(at + 1, name))
    if (!(at > condition && (is_word(at[-1]) || at[-1] == '.')) && !is_word(at[size]) &&
        !is_quoted(condition, at))
      return at;
  return NULL;
}

// Whether the name stands in the condition for more than its shape or type.
static bool is_looked_into(const char *condition, const char *name)
{
  static const char *const forms[] = {".shape", ".size", ".ndim", ".dtype"};
  static const char *const functions[] = {"len(", "size(", "shape(", "ndim("};
  const size_t size = strlen(name);
  for (const char *at = condition; (at = next_name(condition, at, name)); at += size) {
    bool of_form = false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i)
      of_form |= strncmp(at + size, forms[i], strlen(forms[i])) == 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && at[size] == ')'; ++i) {
      const size_t before = strlen(functions[i]);
      of_form |=
          (size_t)(at - condition) >= before && strncmp(at - before, functions[i], before) == 0;
    }
    if (!of_form) return true;
  }
  return false;
}

static bool holds_tensors(const Kernel *kernel, const KernelParameter *parameter)
{
  bool holds = parameter->kind == KERNEL_TENSOR;
  for (uint32_t i = 0; i < parameter->element_count; ++i)
    holds |= kernel->elements[parameter->first_element + i].kind == KERNEL_TENSOR;
  return holds;
}

bool kernel_condition_is_of_values(const Kernel *kernel, const char *condition)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    const bool holds = parameter->kind == KERNEL_TENSOR || parameter->kind == KERNEL_ARRAY ||
                       parameter->kind == KERNEL_TUPLE || parameter->kind == KERNEL_MAP;
    if (holds && next_name(condition, condition, parameter->name)) return false;
  }
  return true;
}

// The end of what a bracket opens here.
static const char *end_of_bracket(const char *open)
{
  int depth = 0;
  for (const char *at = open; *at; ++at) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0) return at;
  }
  return open + strlen(open);
}

// Whether the name is in what this function is asked of.
static bool asks(const char *text, const char *function, const char *name)
{
  for (const char *at = text; (at = next_name(text, at, function)); ++at) {
    const char *open = at + strlen(function);
    open += strspn(open, " ");
    const char *found = *open == '(' ? next_name(text, open, name) : NULL;
    if (found && found < end_of_bracket(open)) return true;
  }
  return false;
}

static bool asks_finite(const char *text, const char *name, bool nan)
{
  return asks(text, "isfinite", name) || asks(text, nan ? "isnan" : "isinf", name);
}

bool kernel_condition_asks_finite(const Signature *signature, const Kernel *kernel,
                                  const KernelOutside *outside, const char *name, bool nan)
{
  const SignatureForm *form = signature_form(signature, kernel->chosen ? kernel->form : 0);
  for (uint32_t i = 0; i < form->where.count; ++i)
    if (kernel_statements_have(&outside->conditions, i) &&
        asks_finite(signature_condition(signature, form->where.first + i), name, nan))
      return true;
  for (uint32_t i = 0; i < form->refusals.count; ++i)
    if (kernel_statements_have(&outside->refusals, i) &&
        asks_finite(
            signature_text(signature, signature_refusal(signature, form->refusals.first + i)->when),
            name, nan))
      return true;
  return false;
}

bool kernel_condition_reads_elements(const Kernel *kernel, const char *condition)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (holds_tensors(kernel, &kernel->parameters[i]) &&
        is_looked_into(condition, kernel->parameters[i].name))
      return true;
  return false;
}
