// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_found.h"

#include <stdio.h>
#include <string.h>

#include "plan/signature_needs.h"
#include "signature/signature_build.h"
#include "signature/signature_words.h"
#include "signature/type_name.h"

static SignatureText add_text(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

SignatureType signature_copy_type(SignatureBuild *build, const Signature *from, uint32_t index)
{
  const SignatureType *own = signature_type(from, index);
  SignatureType type = type_name_blank(own->origin), types[TYPE_NAME_ARGUMENTS_MAX];
  type.kind = own->kind;
  type.name = add_text(build, signature_text(from, own->name));
  type.type_key = add_text(build, signature_text(from, own->type_key));
  type.optional = own->optional;
  type.spellings = own->spellings;
  uint32_t count = own->children.count;
  if (count > TYPE_NAME_ARGUMENTS_MAX) count = 0;
  for (uint32_t i = 0; i < count; ++i)
    types[i] = signature_copy_type(build, from, own->children.first + i);
  if (count) type.children = signature_add_types(build, types, count);
  if (own->returns != SIGNATURE_NONE) {
    types[0] = signature_copy_type(build, from, own->returns);
    type.returns = signature_add_types(build, types, 1).first;
  }
  return type;
}

// --- What was found of tensors -------------------------------------------------------------------

enum { VARIABLES_MAX = 8 };

// A type that several tensors have, and that others may take its place where all change.
typedef struct Variables {
  const Kernel *kernel;
  SignatureVariable items[VARIABLES_MAX];
  DLDataType dtypes[VARIABLES_MAX];
  size_t count;
} Variables;

static bool is_same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// The type of the call, then the others that are taken.
static SignatureRange add_dtypes(SignatureBuild *build, const KernelParameter *parameter)
{
  SignatureValue values[KERNEL_DTYPES_TRIED + 1];
  char word[32];
  size_t count = 0;
  const char *own = signature_dtype_text(parameter->dtype, word);
  values[count++] = (SignatureValue){
      .kind = KERNEL_STRING, .text = add_text(build, own), .text_size = (uint32_t)strlen(own)};
  for (size_t i = 0; i < KERNEL_DTYPES_TRIED; ++i) {
    const char *name = kernel_dtypes_tried[i].name;
    if (parameter->other_dtypes & (1u << i))
      values[count++] = (SignatureValue){.kind = KERNEL_STRING,
                                         .text = add_text(build, name),
                                         .text_size = (uint32_t)strlen(name)};
  }
  return signature_add_values(build, values, count);
}

static size_t tensors_of(const Kernel *kernel, DLDataType dtype)
{
  size_t count = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *tensor = kernel_tensor_at(kernel, i);
    count += tensor && is_same(tensor->dtype, dtype);
  }
  return count;
}

static void list_variables(SignatureBuild *build, const Kernel *kernel, Variables *variables)
{
  variables->kernel = kernel;
  variables->count = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *tensor = kernel_tensor_at(kernel, i);
    bool known = !tensor || !tensor->other_dtypes || tensors_of(kernel, tensor->dtype) < 2;
    for (size_t k = 0; k < variables->count && !known; ++k)
      known = is_same(variables->dtypes[k], tensor->dtype);
    if (known || variables->count == VARIABLES_MAX) continue;
    char name[8];
    snprintf(name, sizeof name, variables->count ? "T%u" : "T", (unsigned)variables->count);
    variables->items[variables->count] =
        (SignatureVariable){add_text(build, name), add_dtypes(build, tensor)};
    variables->dtypes[variables->count++] = tensor->dtype;
  }
}

static void take_dtypes(SignatureBuild *build, const Variables *variables,
                        const KernelParameter *parameter, SignatureType *type)
{
  for (size_t k = 0; k < variables->count; ++k)
    if (is_same(variables->dtypes[k], parameter->dtype)) {
      type->dtype_variable = variables->items[k].name;
      return;
    }
  type->dtypes = add_dtypes(build, parameter);
}

static void take_tensor(SignatureBuild *build, const Variables *variables,
                        const KernelParameter *parameter, SignatureType *type)
{
  SignatureExtent shape[KERNEL_RANK_MAX];
  for (int32_t i = 0; i < parameter->rank; ++i) {
    char text[KERNEL_EXTENT_TEXT_MAX];
    const KernelExtent *extent = &parameter->shape[i];
    shape[i] = (SignatureExtent){SIGNATURE_EXTENT_NUMBER, add_text(build, ""), extent->size};
    if (extent->symbol[0])
      shape[i] = (SignatureExtent){SIGNATURE_EXTENT_EXPRESSION,
                                   add_text(build, kernel_extent_text(extent, text)), 0};
  }
  type->tensor_origin = SIGNATURE_FROM_PROBING;
  type->has_shape = true;
  type->shape = signature_add_extents(build, shape, (size_t)parameter->rank);
  take_dtypes(build, variables, parameter, type);
  type->role = parameter->role;
}

static void take_value(SignatureBuild *build, const KernelParameter *parameter, SignatureType *type)
{
  SignatureValue value = {
      .kind = type->kind, .integer = parameter->integer, .number = parameter->number};
  switch (type->kind) {
    case KERNEL_INT:
    case KERNEL_BOOL:
    case KERNEL_FLOAT:
      break;
    case KERNEL_TENSOR:
      value.kind = KERNEL_INT;
      value.integer = (int64_t)parameter->number;
      if (parameter->value_count == 0) break;
      value.integer = (int64_t)parameter->values[0];
      type->values = signature_add_values(build, &value, 1);
      return;
    case KERNEL_STRING:
    case KERNEL_DTYPE:
      value.kind = KERNEL_STRING;
      value.text = add_text(build, parameter->text);
      value.text_size = (uint32_t)strlen(parameter->text);
      break;
    case KERNEL_OBJECT:
      if (!parameter->text[0]) return;
      value.text = add_text(build, parameter->text);
      value.text_size = (uint32_t)strlen(parameter->text);
      break;
    default:
      return;
  }
  type->example = signature_add_values(build, &value, 1).first;
}

// The sizes that the symbols of the call have, each once.
static SignatureRange add_sizes(SignatureBuild *build, const Kernel *kernel)
{
  enum { SIZES_MAX = 16 };
  SignatureVariable sizes[SIZES_MAX];
  const char *names[SIZES_MAX];
  size_t count = 0;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    for (int32_t k = 0; k < kernel_place_of(kernel, i)->rank; ++k) {
      const KernelExtent *extent = &kernel_place_of(kernel, i)->shape[k];
      bool known = !extent->symbol[0] || count == SIZES_MAX;
      for (size_t j = 0; j < count; ++j) known |= strcmp(names[j], extent->symbol) == 0;
      if (known) continue;
      const SignatureValue size = {.kind = KERNEL_INT, .integer = kernel_extent_size(extent)};
      names[count] = extent->symbol;
      sizes[count].name = add_text(build, extent->symbol);
      sizes[count++].values = signature_add_values(build, &size, 1);
    }
  return signature_add_variables(build, sizes, count);
}

// What is in a container: of an array or a tuple that is known of, each type anew; of a map its
// entries.
static void take_inside(SignatureBuild *build, const Variables *variables,
                        const KernelParameter *parameter, const Signature *known,
                        SignatureType *type, uint32_t index)
{
  SignatureType types[KERNEL_ELEMENTS_MAX];
  const KernelParameter *elements = &variables->kernel->elements[parameter->first_element];
  const SignatureType *own = signature_type(known, index);
  const uint32_t count = parameter->kind == KERNEL_ARRAY ? 1 : parameter->element_count;
  if (parameter->element_count == 0 || type->kind != parameter->kind) return;
  for (uint32_t i = 0; i < count; ++i) {
    types[i] = type_name_blank(SIGNATURE_FROM_PROBING);
    if (parameter->kind != KERNEL_MAP && i < own->children.count)
      types[i] = signature_copy_type(build, known, own->children.first + i);
    else
      types[i].kind = elements[i].kind;
    if (parameter->kind == KERNEL_MAP) types[i].name = add_text(build, elements[i].name);
    if (elements[i].kind == KERNEL_TENSOR && elements[i].typed && types[i].kind == KERNEL_TENSOR)
      take_tensor(build, variables, &elements[i], &types[i]);
    if (elements[i].kind == types[i].kind) take_value(build, &elements[i], &types[i]);
  }
  type->has_entries = parameter->kind == KERNEL_MAP;
  type->children = signature_add_types(build, types, count);
}

// What a function among the arguments returned in the call, where nobody has said it.
static void take_returns(SignatureBuild *build, const KernelParameter *parameter,
                         SignatureType *type)
{
  if (type->kind != KERNEL_FUNCTION || type->returns != SIGNATURE_NONE || !parameter->text[0])
    return;
  SignatureType result = type_name_blank(SIGNATURE_FROM_PROBING);
  for (int kind = 0; kind < KERNEL_KIND_COUNT; ++kind)
    if (strcmp(kernel_kind_names[kind], parameter->text) == 0) result.kind = (KernelKind)kind;
  type->returns = signature_add_types(build, &result, 1).first;
}

// The alternative of a variant that a call was found with, in its place.
static void take_alternative(SignatureBuild *build, const Signature *known, uint32_t variant,
                             KernelKind kind, SignatureType *type)
{
  const SignatureRange children = signature_type(known, variant)->children;
  for (uint32_t i = 0; i < children.count; ++i) {
    if (signature_type(known, children.first + i)->kind != kind) continue;
    const SignatureText name = type->name;
    *type = signature_copy_type(build, known, children.first + i);
    type->name = name;
    return;
  }
}

Signature *signature_with_found(const Signature *known, const Kernel *kernel, bool narrow)
{
  SignatureType types[KERNEL_PARAMETERS_MAX];
  Variables variables;
  if (!kernel->found) return NULL;
  SignatureBuild *build =
      signature_build_begin(known ? known->origin : SIGNATURE_FROM_PROBING, true);
  if (!build) return NULL;
  SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  const SignatureForm *before = known ? signature_form(known, 0) : NULL;
  list_variables(build, kernel, &variables);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    types[i] = type_name_blank(SIGNATURE_FROM_PROBING);
    types[i].kind = parameter->kind;
    types[i].optional = parameter->optional;
    types[i].spellings = parameter->spellings;
    if (before && i < before->parameters.count)
      types[i] = signature_copy_type(build, known, before->parameters.first + i);
    if (narrow && types[i].kind == KERNEL_VARIANT)
      take_alternative(build, known, before->parameters.first + i, parameter->kind, &types[i]);
    if (parameter->kind == KERNEL_TENSOR && parameter->typed && types[i].kind == KERNEL_TENSOR)
      take_tensor(build, &variables, parameter, &types[i]);
    if (before && i < before->parameters.count)
      take_inside(build, &variables, parameter, known, &types[i], before->parameters.first + i);
    if (parameter->kind == types[i].kind) take_value(build, parameter, &types[i]);
    if (parameter->kind == KERNEL_FUNCTION) take_returns(build, parameter, &types[i]);
  }
  form.parameters = signature_add_types(build, types, kernel->parameter_count);
  if (kernel->variadic)
    form.rest = signature_add_types(build, &types[kernel->parameter_count - 1], 1).first;
  if (before && before->result != SIGNATURE_NONE) {
    types[0] = signature_copy_type(build, known, before->result);
    form.result = signature_add_types(build, types, 1).first;
  }
  if (before) form.needs = signature_copy_needs(build, known);
  form.sizes = add_sizes(build, kernel);
  form.dtypes = signature_add_variables(build, variables.items, variables.count);
  signature_add_form(build, &form);
  return signature_build_end(build);
}
