// SPDX-License-Identifier: Apache-2.0
// What names in expressions mean in a call that is not made yet.
#include <math.h>
#include <string.h>

#include "expression/expression_type.h"
#include "expression/npy.h"
#include "plan/kernel_choice.h"

// Larger tensors are looked at in their beginning only, row by row.
enum { ELEMENTS_SEEN = 1 << 20 };

static bool value_of(const KernelNames *names, const KernelParameter *parameter,
                     ExpressionValue *value);

static uint64_t bits_of(const unsigned char *bytes, size_t size)
{
  uint8_t byte;
  uint16_t half;
  uint32_t word;
  uint64_t all = 0;
  memcpy(&byte, bytes, 1);
  if (size == 1) return byte;
  memcpy(&half, bytes, 2);
  if (size == 2) return half;
  memcpy(&word, bytes, 4);
  if (size == 4) return word;
  memcpy(&all, bytes, 8);
  return all;
}

// In the shape that the tensor has in this call: of another size it has the first elements, and these again.
static bool value_of_file(const Signature *signature, const KernelParameter *parameter,
                          ExpressionValue *value)
{
  char problem[NPY_PROBLEM_MAX];
  NpyArray array;
  ExpressionType type;
  const DLDataType dtype = parameter->dtype;
  if (!signature || !expression_type_of(dtype.code, dtype.bits, &type) ||
      !npy_read_file(signature_text(signature, parameter->npy), &array, problem))
    return false;
  const ExpressionKind kind = expression_type_is_float(&type) ? EXPRESSION_FLOAT
                              : type.kind == TYPE_BOOL        ? EXPRESSION_BOOL
                                                              : EXPRESSION_INT;
  int64_t shape[KERNEL_RANK_MAX] = {0};
  double elements = 1;
  for (int32_t i = 0; i < parameter->rank; ++i) {
    shape[i] = parameter->shape[i].size;
    elements *= (double)shape[i];
  }
  const bool made = dtype.bits == array.size * 8 && array.count <= ELEMENTS_SEEN &&
                    elements <= ELEMENTS_SEEN && (array.count > 0 || elements == 0) &&
                    expression_value_new(value, kind, parameter->rank, shape);
  for (size_t i = 0; made && i < value->count; ++i)
    value->elements[i] = expression_type_decode(
        &type, bits_of(array.bytes + i % array.count * array.size, array.size));
  npy_free(&array);
  value->dtype = parameter->text;
  return made;
}

static bool value_of_tensor(const KernelNames *names, const KernelParameter *parameter,
                            ExpressionValue *value)
{
  const DLDataType dtype = parameter->dtype;
  int64_t shape[EXPRESSION_RANK_MAX] = {0};
  double elements = 1;
  if (!parameter->typed) return false;
  const bool written = parameter->contents == KERNEL_FROM_NPY && !parameter->npy;
  if (parameter->contents == KERNEL_FROM_NPY && !written)
    return value_of_file(names->signature, parameter, value);
  if (written && !names->signature) return false;
  for (int32_t i = 0; i < parameter->rank; ++i) {
    shape[i] = parameter->shape[i].size;
    elements *= (double)shape[i];
  }
  const bool whole = dtype.code == kDLInt || dtype.code == kDLUInt;
  const ExpressionKind kind = dtype.code == kDLBool ? EXPRESSION_BOOL
                              : whole               ? EXPRESSION_INT
                                                    : EXPRESSION_FLOAT;
  if (elements > ELEMENTS_SEEN || !expression_value_new(value, kind, parameter->rank, shape))
    return false;
  value->dtype = parameter->text;
  // What an output holds before the call says nothing.
  for (size_t i = 0; i < value->count && kernel_role_is_read(parameter->role); ++i) {
    const long double element = written ? kernel_written_element(names->signature, parameter, i)
                                        : kernel_element_of(parameter, i);
    value->elements[i] = whole ? truncl(element) : element;
  }
  return true;
}

static bool value_of_container(const KernelNames *names, const KernelParameter *parameter,
                               ExpressionValue *value)
{
  const bool pairs = parameter->kind == KERNEL_MAP && !parameter->keyed;
  const uint32_t step = pairs ? 2 : 1;
  const KernelParameter *elements = &names->kernel->elements[parameter->first_element];
  if (!expression_value_tuple(value, parameter->element_count / step)) return false;
  for (uint32_t i = 0; i < value->count; ++i) {
    const KernelParameter *element = &elements[i * step + (pairs ? 1 : 0)];
    const char *key = pairs ? elements[i * step].text : element->name;
    // One without a value counts.
    (void)value_of(names, element, &value->items[i]);
    if (parameter->kind == KERNEL_MAP && !(value->items[i].key = strdup(key))) return false;
  }
  return true;
}

static bool value_of(const KernelNames *names, const KernelParameter *parameter,
                     ExpressionValue *value)
{
  switch (parameter->kind) {
    case KERNEL_NONE:
      value->kind = EXPRESSION_NONE;
      return true;
    case KERNEL_INT:
      return expression_value_scalar(value, EXPRESSION_INT, parameter->integer);
    case KERNEL_BOOL:
      return expression_value_scalar(value, EXPRESSION_BOOL, parameter->integer != 0);
    case KERNEL_FLOAT:
      return expression_value_scalar(value, EXPRESSION_FLOAT, parameter->number);
    case KERNEL_STRING:
    case KERNEL_BYTES:
    case KERNEL_DTYPE:
    case KERNEL_DEVICE:
      return expression_value_string(value, parameter->text, kernel_text_length(parameter));
    case KERNEL_SHAPE:
      if (!expression_value_tuple(value, (size_t)parameter->rank)) return false;
      for (int32_t i = 0; i < parameter->rank; ++i)
        if (!expression_value_scalar(&value->items[i], EXPRESSION_INT, parameter->shape[i].size))
          return false;
      return true;
    case KERNEL_TENSOR:
      return value_of_tensor(names, parameter, value);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
      return value_of_container(names, parameter, value);
    case KERNEL_FUNCTION:
    case KERNEL_OBJECT:
      value->kind = EXPRESSION_OTHER;
      return true;
    default:
      return false;
  }
}

// "parts" for "parts[0]", "parts[1]", ...: the arguments behind the parameters.
static uint32_t count_rest(const KernelNames *names, const char *name, uint32_t *first)
{
  const size_t length = strlen(name);
  uint32_t count = 0;
  for (uint32_t i = 0; i < names->known; ++i) {
    const KernelParameter *parameter = &names->kernel->parameters[i];
    if (strncmp(parameter->name, name, length) != 0 || parameter->name[length] != '[') continue;
    if (count++ == 0) *first = i;
  }
  return count;
}

// Whether there may be arguments of this name, though there are none.
static bool is_rest(const KernelNames *names, const char *name)
{
  if (!names->signature || names->known < names->kernel->parameter_count) return false;
  const SignatureForm *form = signature_form(names->signature, names->kernel->form);
  return form->rest != SIGNATURE_NONE &&
         strcmp(
             signature_text(names->signature, signature_type(names->signature, form->rest)->name),
             name) == 0;
}

bool kernel_size_of(const Kernel *kernel, const char *name, int64_t *size)
{
  for (uint32_t i = 0; i < kernel->size_count; ++i)
    if (strcmp(kernel->sizes[i].name, name) == 0) {
      *size = kernel->sizes[i].size;
      return true;
    }
  return false;
}

bool kernel_name_value(void *context, const char *name, ExpressionValue *value)
{
  const KernelNames *names = context;
  int64_t size;
  uint32_t first = 0;
  if (kernel_size_of(names->kernel, name, &size))
    return expression_value_scalar(value, EXPRESSION_INT, size);
  for (uint32_t i = 0; i < names->known; ++i)
    if (names->kernel->parameters[i].name[0] &&
        strcmp(names->kernel->parameters[i].name, name) == 0)
      return value_of(names, &names->kernel->parameters[i], value);
  const uint32_t count = count_rest(names, name, &first);
  if ((count == 0 && !is_rest(names, name)) || !expression_value_tuple(value, count)) return false;
  for (uint32_t i = 0; i < count; ++i)
    (void)value_of(names, &names->kernel->parameters[first + i], &value->items[i]);
  return true;
}
