// SPDX-License-Identifier: Apache-2.0
#include "plan/kernel_limits.h"

#include <ctype.h>
#include <stdlib.h>

static void add_number(KernelLimits *numbers, double number)
{
  for (unsigned i = 0; i < numbers->count; ++i)
    if (numbers->items[i] == number) return;
  if (numbers->count < KERNEL_LIMITS_MAX) numbers->items[numbers->count++] = number;
}

static void add_around(KernelLimits *numbers, double number)
{
  add_number(numbers, number);
  add_number(numbers, number + 1);
  add_number(numbers, number - 1);
}

// Those that stand in an expression.
static void add_of_text(KernelLimits *numbers, const char *text)
{
  for (const char *at = text; *at;) {
    char *end = NULL;
    bool begins = isdigit((unsigned char)*at) &&
                  (at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'));
    double number = begins ? strtod(at, &end) : 0;
    if (begins) add_around(numbers, number);
    at = begins ? end : at + 1;
  }
}

static void add_of_type(KernelLimits *numbers, const Signature *signature,
                        const SignatureType *type)
{
  add_of_text(numbers, signature_text(signature, type->least));
  add_of_text(numbers, signature_text(signature, type->most));
}

static void add_outside(KernelLimits *numbers, const KernelParameter *parameter)
{
  if (parameter->has_least) add_number(numbers, parameter->least - 1);
  if (parameter->has_most) add_number(numbers, parameter->most + 1);
}

KernelLimits kernel_limits_of(const Signature *signature, const Kernel *kernel,
                              const KernelParameter *own)
{
  const SignatureForm *form = signature_form(signature, kernel->chosen ? kernel->form : 0);
  KernelLimits numbers = {.count = 0};
  add_outside(&numbers, own);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0;
         kernel->parameters[i].kind == KERNEL_TENSOR && k < kernel->parameters[i].rank; ++k) {
      add_number(&numbers, (double)kernel->parameters[i].shape[k].size);
      add_number(&numbers, (double)kernel->parameters[i].shape[k].size + 1);
    }
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    add_outside(&numbers, &kernel->parameters[i]);
  add_around(&numbers, 0);
  add_number(&numbers, -2);
  for (uint32_t i = 0; i < form->where.count; ++i)
    add_of_text(&numbers, signature_condition(signature, form->where.first + i));
  for (uint32_t i = 0; i < form->refusals.count; ++i)
    add_of_text(
        &numbers,
        signature_text(signature, signature_refusal(signature, form->refusals.first + i)->when));
  for (uint32_t i = 0; i < form->parameters.count; ++i)
    add_of_type(&numbers, signature, signature_type(signature, form->parameters.first + i));
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_FLOAT || kernel->parameters[i].kind == KERNEL_INT)
      add_around(&numbers, kernel->parameters[i].kind == KERNEL_FLOAT
                               ? kernel->parameters[i].number
                               : (double)kernel->parameters[i].integer);
  for (int i = 2; i < 8; ++i) add_number(&numbers, i);
  add_number(&numbers, 2147483648.0);
  add_number(&numbers, -2147483649.0);
  add_number(&numbers, 9223372036854774784.0);  // the greatest double within 64 bits
  add_number(&numbers, -9223372036854775808.0);
  return numbers;
}
