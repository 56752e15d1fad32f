// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_due.h"

#include <stdlib.h>

#include "battery/expect.h"
#include "plan/case.h"

static const Signature *file_of(const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  bool stated = signature && !signature->tentative && kernel->source == KERNEL_FROM_FILE;
  return stated && signature->origin == SIGNATURE_FROM_FILE ? signature : NULL;
}

bool call_is_outside(const Kernel *call)
{
  const Signature *signature = file_of(call);
  return signature && kernel_outside(signature, call, NULL).by != 0;
}

bool call_is_due(const Kernel *kernel, const Kernel *call, unsigned check)
{
  const Signature *signature = file_of(kernel);
  if (!signature) return true;
  KernelOutside outside = kernel_outside(signature, call, NULL);
  if (!outside.by) return false;
  return !(kernel->promises & check) || outside.promised != 0;
}

static Kernel *copy_of(const Kernel *kernel)
{
  Kernel *copy = malloc(sizeof *copy);
  if (!copy) case_inconclusive("no memory for a signature");
  kernel_copy(copy, kernel);
  return copy;
}

static bool decide(const Kernel *kernel, Kernel *call, unsigned check)
{
  bool due = call_is_due(kernel, call, check);
  free(call);
  return due;
}

// The call with another tensor in one place; own.
static Kernel *with_tensor(const Kernel *kernel, unsigned position, const TensorForm *form)
{
  Kernel *call = copy_of(kernel);
  KernelParameter *parameter = &call->parameters[position];
  if (form->has_dtype) parameter->dtype = form->dtype;
  if (form->has_device) parameter->device = form->device;
  if (form->has_shape) parameter->rank = form->rank;
  for (int32_t i = 0; form->has_shape && i < form->rank; ++i)
    parameter->shape[i] = (KernelExtent){.size = form->shape[i]};
  return call;
}

bool tensor_is_due(const Kernel *kernel, unsigned position, const TensorForm *form, unsigned check)
{
  if (form->has_shape && form->rank > KERNEL_RANK_MAX) return true;
  // A file that does not say where a tensor is takes none at its word.
  if (form->has_device && !kernel->parameters[position].device_stated)
    return !(kernel->promises & check);
  return decide(kernel, with_tensor(kernel, position, form), check);
}

bool tensor_is_outside(const Kernel *kernel, unsigned position, const TensorForm *form,
                       unsigned check)
{
  const Signature *signature = file_of(kernel);
  if (!signature || (form->has_shape && form->rank > KERNEL_RANK_MAX)) return false;
  Kernel *call = with_tensor(kernel, position, form);
  const unsigned by = kernel_outside(signature, call, NULL).by;
  free(call);
  return by & check;
}

bool shape_is_due(const Kernel *kernel, unsigned position, const TensorForm *form)
{
  return tensor_is_due(kernel, position, form, SIGNATURE_CHECKS_SHAPE) &&
         (!file_of(kernel) || tensor_is_outside(kernel, position, form, SIGNATURE_CHECKS_SHAPE));
}

static KernelKind kind_of(int32_t type_index)
{
  switch (type_index) {
    case kTVMFFINone:
      return KERNEL_NONE;
    case kTVMFFIInt:
      return KERNEL_INT;
    case kTVMFFIBool:
      return KERNEL_BOOL;
    case kTVMFFIFloat:
      return KERNEL_FLOAT;
    case kTVMFFIOpaquePtr:
      return KERNEL_POINTER;
    case kTVMFFIDataType:
      return KERNEL_DTYPE;
    case kTVMFFIDevice:
      return KERNEL_DEVICE;
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return KERNEL_STRING;
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return KERNEL_BYTES;
    case kTVMFFIFunction:
      return KERNEL_FUNCTION;
    case kTVMFFIShape:
      return KERNEL_SHAPE;
    case kTVMFFIArray:
    case kTVMFFIList:
      return KERNEL_ARRAY;
    case kTVMFFIMap:
    case kTVMFFIDict:
      return KERNEL_MAP;
    default:
      return KERNEL_OBJECT;
  }
}

bool value_is_due(const Kernel *kernel, unsigned position, int32_t type_index, unsigned check)
{
  const KernelParameter *stated = &kernel->parameters[position];
  if (stated->spellings && stated->kind == kind_of(type_index)) return true;
  Kernel *call = copy_of(kernel);
  KernelParameter *parameter = &call->parameters[position];
  *parameter = (KernelParameter){.kind = kind_of(type_index), .type = parameter->type};
  return decide(kernel, call, check);
}

bool count_is_due(const Kernel *kernel, unsigned count, unsigned check)
{
  if (kernel->variadic) return false;
  Kernel *call = copy_of(kernel);
  if (count > KERNEL_PARAMETERS_MAX) count = KERNEL_PARAMETERS_MAX;
  for (unsigned i = kernel->parameter_count; i < count; ++i)
    call->parameters[i] = (KernelParameter){.kind = KERNEL_NONE};
  call->parameter_count = count;
  return decide(kernel, call, check);
}
