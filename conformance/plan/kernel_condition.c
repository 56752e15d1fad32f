// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_condition.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// Whether the name is one of the condition's, there where it stands in it.
static bool is_name_at(const char *condition, const char *at, size_t size)
{
  return !(at > condition && (is_word(at[-1]) || at[-1] == '.')) && !is_word(at[size]);
}

// Whether the name stands in the condition for more than its shape or type.
static bool is_looked_into(const char *condition, const char *name)
{
  static const char *const forms[] = {".shape", ".size", ".ndim", ".dtype"};
  static const char *const functions[] = {"len(", "size(", "shape(", "ndim("};
  const size_t size = strlen(name);
  for (const char *at = strstr(condition, name); size && at; at = strstr(at + 1, name)) {
    bool of_form = false;
    if (!is_name_at(condition, at, size)) continue;
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
    const size_t size = holds ? strlen(parameter->name) : 0;
    for (const char *at = strstr(condition, parameter->name); size && at;
         at = strstr(at + 1, parameter->name))
      if (is_name_at(condition, at, size)) return false;
  }
  return true;
}

static bool asks_finite(const char *text, const char *name)
{
  static const char *const functions[] = {"isfinite(", "isnan(", "isinf("};
  const size_t size = strlen(name);
  for (const char *at = strstr(text, name); size && at; at = strstr(at + 1, name))
    for (size_t i = 0; i < sizeof functions / sizeof *functions && is_name_at(text, at, size);
         ++i) {
      const size_t before = strlen(functions[i]);
      if ((size_t)(at - text) >= before && strncmp(at - before, functions[i], before) == 0)
        return true;
    }
  return false;
}

static bool has_bit(const uint64_t words[2], uint32_t at)
{
  return at < 128 && (words[at / 64] >> (at % 64) & 1);
}

bool kernel_condition_asks_finite(const Signature *signature, const Kernel *kernel,
                                  const KernelOutside *outside, const char *name)
{
  const SignatureForm *form = signature_form(signature, kernel->chosen ? kernel->form : 0);
  for (uint32_t i = 0; i < form->where.count; ++i)
    if (has_bit(outside->conditions, i) &&
        asks_finite(signature_condition(signature, form->where.first + i), name))
      return true;
  for (uint32_t i = 0; i < form->refusals.count; ++i)
    if (has_bit(outside->refusals, i) &&
        asks_finite(
            signature_text(signature, signature_refusal(signature, form->refusals.first + i)->when),
            name))
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
