// SPDX-License-Identifier: Apache-2.0
#include "plan/signature_kinds.h"

#include <stdio.h>

#include "plan/signature_file.h"

// Of an extent that is a size.
enum { EXTENT = 4 };

// False where a word of it is nothing that one call can be made with.
static bool take_tensor(const Signature *signature, const SignatureType *type,
                        KernelParameter *parameter)
{
  if (!type->has_shape || type->dtypes.count == 0 || type->shape.count > KERNEL_RANK_MAX)
    return false;
  const SignatureValue *dtype = signature_value(signature, type->dtypes.first);
  if (!signature_dtype(signature_text(signature, dtype->text), &parameter->dtype)) return false;
  for (uint32_t i = 0; i < type->shape.count; ++i) {
    const SignatureExtent *extent = signature_extent(signature, type->shape.first + i);
    const char *word = signature_text(signature, extent->text);
    KernelExtent *taken = &parameter->shape[i];
    bool number = extent->form == SIGNATURE_EXTENT_NUMBER;
    if (!number && extent->form != SIGNATURE_EXTENT_EXPRESSION) return false;
    *taken = (KernelExtent){.size = number ? extent->number : EXTENT};
    if (!number) snprintf(taken->symbol, sizeof taken->symbol, "%.15s", word);
  }
  parameter->rank = (int32_t)type->shape.count;
  parameter->role = KERNEL_INOUT;
  parameter->device = (DLDevice){kDLCPU, 0};
  return true;
}

// Containers are made of more than one plain value.
static KernelKind plain_kind(KernelKind kind)
{
  if (kind == KERNEL_ARRAY || kind == KERNEL_MAP) return KERNEL_OBJECT;
  return kind <= KERNEL_OBJECT ? kind : KERNEL_ANY;
}

static void take_type(const Signature *signature, uint32_t index, KernelParameter *parameter)
{
  const SignatureType *type = signature_type(signature, index);
  *parameter = (KernelParameter){.kind = plain_kind(type->kind),
                                 .optional = type->optional,
                                 .spellings = type->spellings,
                                 .alignment = 1,
                                 .integer = 1,
                                 .number = 1};
  snprintf(parameter->name, sizeof parameter->name, "%.47s", signature_text(signature, type->name));
  snprintf(parameter->type_key, sizeof parameter->type_key, "%.47s",
           signature_text(signature, type->type_key));
  if (type->kind == KERNEL_ARRAY || type->kind == KERNEL_MAP)
    snprintf(parameter->type_key, sizeof parameter->type_key,
             type->kind == KERNEL_MAP ? "ffi.Map" : "ffi.Array");
  KernelParameter shaped = *parameter;
  if (type->kind != KERNEL_TENSOR || !take_tensor(signature, type, &shaped)) return;
  shaped.typed = true;
  *parameter = shaped;
}

void signature_take_kinds(const Signature *signature, Kernel *kernel)
{
  const SignatureForm *form = signature_form(signature, 0);
  uint32_t count = form->parameters.count;
  kernel->source =
      signature->origin == SIGNATURE_FROM_METADATA ? KERNEL_FROM_METADATA : KERNEL_PROBED;
  kernel->parameter_count = count < KERNEL_PARAMETERS_MAX ? count : KERNEL_PARAMETERS_MAX;
  kernel->expected_of = kernel->parameter_count;
  kernel->result = (KernelParameter){.alignment = 1, .integer = 1, .number = 1};
  if (form->result != SIGNATURE_NONE) take_type(signature, form->result, &kernel->result);
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    take_type(signature, form->parameters.first + i, &kernel->parameters[i]);
}
