// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_condition.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// Whether the name stands in the condition for more than its shape or type.
static bool is_looked_into(const char *condition, const char *name)
{
  static const char *const forms[] = {".shape", ".size", ".ndim", ".dtype"};
  static const char *const functions[] = {"len(", "size(", "shape(", "ndim("};
  const size_t size = strlen(name);
  for (const char *at = strstr(condition, name); size && at; at = strstr(at + 1, name)) {
    bool of_form = false;
    if ((at > condition && (is_word(at[-1]) || at[-1] == '.')) || is_word(at[size])) continue;
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

bool kernel_condition_reads_elements(const Kernel *kernel, const char *condition)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (holds_tensors(kernel, &kernel->parameters[i]) &&
        is_looked_into(condition, kernel->parameters[i].name))
      return true;
  return false;
}
