// SPDX-License-Identifier: Apache-2.0
// What comes out of the right call, against the formula of the signature.
#include <math.h>
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_element.h"
#include "kernel/kernel_formula.h"

CHAPTER(kernel);

// The element that is worked out, and the tensors as they were before the call.
typedef struct Place {
  const KernelCall *call;
  size_t index;
} Place;

static bool element_before(const KernelTensor *tensor, DLDataType dtype, size_t index, double *out)
{
  KernelTensor before = *tensor;
  if (!tensor->memory || tensor->role == KERNEL_OUT) return false;
  before.first = tensor->before + (tensor->first - tensor->memory);
  return kernel_tensor_number(&before, dtype, tensor->count == 1 ? 0 : index, out);
}

static bool value_of_name(void *context, const char *name, size_t size, double *value)
{
  const Place *place = context;
  const Kernel *kernel = place->call->kernel;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (strlen(parameter->name) != size || memcmp(parameter->name, name, size) != 0) continue;
    if (parameter->kind == KERNEL_TENSOR)
      return element_before(&place->call->tensors[i], parameter->dtype, place->index, value);
    *value = parameter->kind == KERNEL_FLOAT ? parameter->number : (double)parameter->integer;
    return parameter->kind == KERNEL_FLOAT || parameter->kind == KERNEL_INT ||
           parameter->kind == KERNEL_BOOL;
  }
  return false;
}

static double expected_at(const KernelCall *call, size_t index)
{
  Place place = {call, index};
  double value = 0;
  const char *formula = call->kernel->expected;
  const char *wrong = kernel_formula_value(formula, value_of_name, &place, &value);
  if (wrong)
    case_inconclusive("\"%s\" of the signature is not understood at character %zu", formula,
                      (size_t)(wrong - formula) + 1);
  return value;
}

// As the type of the elements can hold it.
static double rounded(double value, DLDataType dtype)
{
  unsigned char bytes[32] = {0};
  double out = value;
  kernel_element_write(bytes, 0, dtype, value);
  return kernel_element_read(bytes, 0, dtype, &out) ? out : value;
}

static void judge_number(const char *what, size_t index, double seen, double expected,
                         double tolerance)
{
  char text[96];
  bool close = seen == expected || (isnan(seen) && isnan(expected)) ||
               fabs(seen - expected) <= tolerance * fabs(expected);
  snprintf(text, sizeof text, "%s, element %zu: %.9g, within %g of it", what, index, expected,
           tolerance);
  expect_that(close, text, "%.9g", seen);
}

static void judge_tensor(const KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  const KernelTensor *tensor = &call->tensors[kernel->expected_of];
  DLDataType dtype = kernel->parameters[kernel->expected_of].dtype;
  char name[64];
  double seen;
  if (!tensor->memory || tensor->count == 0) case_not_applicable("its elements are not readable");
  for (size_t i = 0; i < tensor->count; ++i) {
    if (!kernel_tensor_number(tensor, dtype, i, &seen))
      case_not_applicable("elements of this type are not numbers");
    judge_number(parameter_name(kernel, kernel->expected_of, name), i, seen,
                 rounded(expected_at(call, i), dtype), kernel->tolerance);
  }
}

KERNEL_CASE(outcome_is_as_promised, .clauses = {KER_10},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_EXPECTED,
            .title = "the outputs of the valid call are those of the formula in the signature")
{
  KernelCall *call = require_right_call(iut, kernel);
  const TVMFFIAny *result = call->result;
  if (call->launched)
    case_not_applicable("a kernel was launched on the stand-in for CUDA, which computes nothing");
  if (kernel->expected_of < kernel->parameter_count) {
    judge_tensor(call);
    return;
  }
  bool is_float = result->type_index == kTVMFFIFloat;
  if (!is_float && result->type_index != kTVMFFIInt && result->type_index != kTVMFFIBool)
    case_not_applicable("the result is not a number");
  judge_number("the result", 0, is_float ? result->v_float64 : (double)result->v_int64,
               expected_at(call, 0), kernel->tolerance);
}
