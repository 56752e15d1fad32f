// SPDX-License-Identifier: Apache-2.0
// What names in formulas mean: the arguments of a call as they were before it.
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel_array.h"
#include "kernel/kernel_expected.h"

static bool value_of(const KernelCall *call, const KernelParameter *parameter,
                     const KernelTensor *tensor, ExpressionValue *value);

// Of an output, what is known before the call: what it holds then says nothing.
static bool value_of_output(const KernelParameter *parameter, const KernelTensor *tensor,
                            ExpressionValue *value)
{
  if (parameter->kind != KERNEL_TENSOR || !tensor->tensor || kernel_role_is_read(tensor->role) ||
      tensor->rank > EXPRESSION_RANK_MAX)
    return false;
  *value = (ExpressionValue){.kind = EXPRESSION_OUTPUT,
                             .rank = tensor->rank,
                             .count = tensor->count,
                             .dtype = parameter->text[0] ? parameter->text : NULL};
  memcpy(value->shape, tensor->shape, (size_t)tensor->rank * sizeof *tensor->shape);
  return true;
}

static bool value_of_tensor(const KernelParameter *parameter, const KernelTensor *tensor,
                            ExpressionValue *value)
{
  KernelTensor before = *tensor;
  if (!tensor->tensor || !tensor->on_host) return false;
  if (tensor->memory) before.first = tensor->before + (tensor->first - tensor->memory);
  unsigned char *bytes = malloc(kernel_tensor_gather(&before, NULL) + 1);
  if (!bytes) return false;
  kernel_tensor_gather(&before, bytes);
  KernelArray array = {bytes, tensor->tensor->dtype, tensor->rank, tensor->shape, tensor->count};
  bool made = kernel_array_value(&array, value);
  if (made && parameter->text[0]) value->dtype = parameter->text;
  free(bytes);
  return made;
}

static bool value_of_container(const KernelCall *call, const KernelParameter *parameter,
                               ExpressionValue *value)
{
  bool pairs = parameter->kind == KERNEL_MAP && !parameter->keyed;
  uint32_t step = pairs ? 2 : 1;
  const KernelParameter *elements = &call->kernel->elements[parameter->first_element];
  if (!expression_value_tuple(value, parameter->element_count / step)) return false;
  for (uint32_t i = 0; i < value->count; ++i) {
    const KernelParameter *element = &elements[i * step + (pairs ? 1 : 0)];
    const char *key = pairs ? elements[i * step].text : element->name;
    const KernelTensor *tensor = &call->element_tensors[element - call->kernel->elements];
    if (!value_of(call, element, tensor, &value->items[i])) return false;
    if (parameter->kind == KERNEL_MAP && !(value->items[i].key = strdup(key))) return false;
  }
  return true;
}

static bool value_of_shape(const KernelParameter *parameter, ExpressionValue *value)
{
  if (!expression_value_new(value, EXPRESSION_INT, 1, (int64_t[]){parameter->rank})) return false;
  for (int32_t i = 0; i < parameter->rank; ++i)
    value->elements[i] = (long double)parameter->shape[i].size;
  return true;
}

static bool value_of(const KernelCall *call, const KernelParameter *parameter,
                     const KernelTensor *tensor, ExpressionValue *value)
{
  switch (parameter->kind) {
    case KERNEL_NONE:
      return true;
    case KERNEL_INT:
      return expression_value_scalar(value, EXPRESSION_INT, (long double)parameter->integer);
    case KERNEL_BOOL:
      return expression_value_scalar(value, EXPRESSION_BOOL, parameter->integer != 0);
    case KERNEL_FLOAT:
      return expression_value_scalar(value, EXPRESSION_FLOAT, (long double)parameter->number);
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return expression_value_string(value, parameter->text, kernel_text_length(parameter));
    case KERNEL_SHAPE:
      return value_of_shape(parameter, value);
    case KERNEL_TENSOR:
      return tensor && kernel_role_is_read(tensor->role) &&
             value_of_tensor(parameter, tensor, value);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
      return value_of_container(call, parameter, value);
    case KERNEL_FUNCTION:
    case KERNEL_OBJECT:
      value->kind = EXPRESSION_OTHER;
      return true;
    default:
      return false;
  }
}

// A size by its name: of the signature, or of an extent where there is none.
static bool find_size(const Kernel *kernel, const char *name, int64_t *size)
{
  for (uint32_t i = 0; i < kernel->size_count; ++i) {
    if (strcmp(kernel->sizes[i].name, name) != 0) continue;
    *size = kernel->sizes[i].size;
    return true;
  }
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0; kernel->parameters[i].typed && k < kernel->parameters[i].rank; ++k) {
      const KernelExtent *extent = &kernel->parameters[i].shape[k];
      if (!extent->symbol[0] || strcmp(extent->symbol, name) != 0) continue;
      *size = kernel_extent_size(extent);
      return true;
    }
  return false;
}

// The arguments behind the parameters: "parts" is all of "parts[0]", "parts[1]", ...
static bool value_of_rest(const KernelCall *call, const char *name, ExpressionValue *value)
{
  const Kernel *kernel = call->kernel;
  size_t length = strlen(name), count = 0;
  uint32_t first = 0;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const char *own = kernel->parameters[i].name;
    if (strncmp(own, name, length) == 0 && own[length] == '[' && count++ == 0) first = i;
  }
  if (count == 0 || !expression_value_tuple(value, count)) return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!value_of(call, &kernel->parameters[first + i], &call->tensors[first + i],
                  &value->items[i]))
      return false;
  return true;
}

bool kernel_value_before(void *context, const char *name, ExpressionValue *value)
{
  const KernelCall *call = context;
  const Kernel *kernel = call->kernel;
  int64_t size;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (strcmp(kernel->parameters[i].name, name) == 0)
      return value_of_output(&kernel->parameters[i], &call->tensors[i], value) ||
             value_of(call, &kernel->parameters[i], &call->tensors[i], value);
  if (find_size(kernel, name, &size))
    return expression_value_scalar(value, EXPRESSION_INT, (long double)size);
  return value_of_rest(call, name, value);
}
