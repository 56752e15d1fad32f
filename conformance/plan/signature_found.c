// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_found.h"

#include <stdio.h>
#include <string.h>

#include "signature/signature_build.h"
#include "signature/signature_words.h"
#include "signature/type_name.h"

static SignatureText add_text(SignatureBuild *build, const char *text)
{
  return signature_add_text(build, text, strlen(text));
}

static SignatureRange add_word(SignatureBuild *build, const char *word)
{
  const SignatureValue value = {
      .kind = KERNEL_STRING, .text = add_text(build, word), .text_size = (uint32_t)strlen(word)};
  return signature_add_values(build, &value, 1);
}

// A type with the types within it, of a signature that is sound: SIGNATURE_DEPTH_MAX deep at most.
static SignatureType copy_type(SignatureBuild *build, const Signature *from, uint32_t index)
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
  for (uint32_t i = 0; i < count; ++i) types[i] = copy_type(build, from, own->children.first + i);
  if (count) type.children = signature_add_types(build, types, count);
  if (own->returns != SIGNATURE_NONE) {
    types[0] = copy_type(build, from, own->returns);
    type.returns = signature_add_types(build, types, 1).first;
  }
  return type;
}

static void take_tensor(SignatureBuild *build, const KernelParameter *parameter,
                        SignatureType *type)
{
  SignatureExtent shape[KERNEL_RANK_MAX];
  char word[32];
  for (int32_t i = 0; i < parameter->rank; ++i) {
    const char *symbol = parameter->shape[i].symbol;
    shape[i] =
        (SignatureExtent){SIGNATURE_EXTENT_NUMBER, add_text(build, ""), parameter->shape[i].size};
    if (*symbol)
      shape[i] = (SignatureExtent){SIGNATURE_EXTENT_EXPRESSION, add_text(build, symbol), 0};
  }
  type->tensor_origin = SIGNATURE_FROM_PROBING;
  type->has_shape = true;
  type->shape = signature_add_extents(build, shape, (size_t)parameter->rank);
  type->dtypes = add_word(build, signature_dtype_text(parameter->dtype, word));
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
      break;
    case KERNEL_STRING:
    case KERNEL_DTYPE:
      value.kind = KERNEL_STRING;
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
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    for (int32_t k = 0; k < kernel->parameters[i].rank; ++k) {
      const KernelExtent *extent = &kernel->parameters[i].shape[k];
      bool known = !extent->symbol[0] || count == SIZES_MAX;
      for (size_t j = 0; j < count; ++j) known |= strcmp(names[j], extent->symbol) == 0;
      if (known) continue;
      const SignatureValue size = {.kind = KERNEL_INT, .integer = extent->size};
      names[count] = extent->symbol;
      sizes[count].name = add_text(build, extent->symbol);
      sizes[count++].values = signature_add_values(build, &size, 1);
    }
  return signature_add_variables(build, sizes, count);
}

Signature *signature_with_found(const Signature *known, const Kernel *kernel)
{
  SignatureType types[KERNEL_PARAMETERS_MAX];
  if (!kernel->found) return NULL;
  SignatureBuild *build =
      signature_build_begin(known ? known->origin : SIGNATURE_FROM_PROBING, true);
  if (!build) return NULL;
  SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  const SignatureForm *before = known ? signature_form(known, 0) : NULL;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    types[i] = type_name_blank(SIGNATURE_FROM_PROBING);
    types[i].kind = parameter->kind;
    types[i].optional = parameter->optional;
    types[i].spellings = parameter->spellings;
    if (before && i < before->parameters.count)
      types[i] = copy_type(build, known, before->parameters.first + i);
    if (parameter->kind == KERNEL_TENSOR && parameter->typed)
      take_tensor(build, parameter, &types[i]);
    if (parameter->kind == types[i].kind) take_value(build, parameter, &types[i]);
  }
  form.parameters = signature_add_types(build, types, kernel->parameter_count);
  if (before && before->result != SIGNATURE_NONE) {
    types[0] = copy_type(build, known, before->result);
    form.result = signature_add_types(build, types, 1).first;
  }
  form.sizes = add_sizes(build, kernel);
  signature_add_form(build, &form);
  return signature_build_end(build);
}
