// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_value.h"

#include <stdlib.h>
#include <string.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "battery/registered.h"
#include "kernel/kernel_callback.h"
#include "kernel/kernel_spelling.h"
#include "kernel/kernel_steps.h"
#include "plan/case.h"
#include "signature/signature_words.h"

static TVMFFIAny plain(int32_t type_index, uint64_t payload)
{
  TVMFFIAny value = any_none();
  value.type_index = type_index;
  value.v_uint64 = payload;
  return value;
}

// --- Texts and shapes ----------------------------------------------------------------------------

// As the runtime makes it of its length, or in a spelling that the parameter is said to take.
static TVMFFIAny text_value(KernelCall *call, const KernelParameter *parameter, bool inside)
{
  const size_t size = kernel_text_length(parameter);
  TVMFFIByteArray text = {parameter->text, size};
  TVMFFIAny value = any_none();
  if (parameter->spellings && !inside)
    return kernel_spell_text(call->iut, kernel_spelling_for(parameter, size, false), text.data,
                             size);
  int status = parameter->kind == KERNEL_BYTES ? call->iut->BytesFromByteArray(&text, &value)
                                               : call->iut->StringFromByteArray(&text, &value);
  require(expect_ok(call->iut, status));
  return value;
}

static TVMFFIAny made_by(Iut *iut, const char *maker, TVMFFIAny *arguments, size_t count)
{
  TVMFFIAny value = any_none();
  require(expect_ok(iut, call_registered(iut, &value, maker, arguments, count)));
  return value;
}

static TVMFFIAny shape_value(KernelCall *call, const KernelParameter *parameter)
{
  TVMFFIAny extents[KERNEL_RANK_MAX];
  // Of one that nobody described.
  if (!call->kernel->chosen && !parameter->typed) {
    extents[0] = view_of_int(2);
    extents[1] = view_of_int(3);
    return made_by(call->iut, "ffi.Shape", extents, 2);
  }
  for (int32_t i = 0; i < parameter->rank; ++i) extents[i] = view_of_int(parameter->shape[i].size);
  return made_by(call->iut, "ffi.Shape", extents, (size_t)parameter->rank);
}

static DLDataType dtype_value(KernelCall *call, const KernelParameter *parameter)
{
  DLDataType dtype = {kDLFloat, 32, 1};
  TVMFFIByteArray text = bytes_of(parameter->text);
  if (text.size) require(expect_ok(call->iut, call->iut->DataTypeFromString(&text, &dtype)));
  return dtype;
}

static DLDevice device_value(const KernelParameter *parameter)
{
  DLDevice device = {kDLCPU, 0};
  if (parameter->text[0] && !signature_device(parameter->text, &device))
    case_inconclusive("\"%s\" is not a device", parameter->text);
  return device;
}

// --- Containers ----------------------------------------------------------------------------------

TVMFFIAny kernel_container_of(Iut *iut, KernelKind kind, TVMFFIAny *elements, size_t count)
{
  return made_by(iut, kind == KERNEL_MAP ? "ffi.Map" : "ffi.Array", elements, count);
}

static TVMFFIAny key_value(KernelCall *call, const KernelParameter *element)
{
  TVMFFIByteArray text = bytes_of(element->name);
  TVMFFIAny value = any_none();
  require(expect_ok(call->iut, call->iut->StringFromByteArray(&text, &value)));
  return value;
}

// The container holds references of its own to what is in it; ours stay, so that nothing in it is
// freed with it.
static TVMFFIAny container_value(KernelCall *call, const KernelParameter *parameter)
{
  const KernelParameter *elements = &call->kernel->elements[parameter->first_element];
  TVMFFIAny values[2 * KERNEL_ELEMENTS_MAX];
  size_t count = 0;
  for (uint32_t i = 0; i < parameter->element_count; ++i) {
    // An entry that is None is left out, unless a call states it.
    if (parameter->keyed && elements[i].kind == KERNEL_NONE && !elements[i].is_given) continue;
    if (parameter->keyed) values[count++] = key_value(call, &elements[i]);
    values[count++] = kernel_value_of(call, &elements[i], true);
  }
  const TVMFFIAny made = kernel_container_of(call->iut, parameter->kind, values, count);
  const bool inner = parameter >= call->kernel->elements &&
                     parameter < call->kernel->elements + KERNEL_ELEMENTS_MAX;
  if (inner && call->inner_count < KERNEL_ELEMENTS_MAX) call->inner[call->inner_count++] = made;
  return made;
}

// --- Tensors -------------------------------------------------------------------------------------

static KernelTensor *place_of(KernelCall *call, const KernelParameter *parameter)
{
  const Kernel *kernel = call->kernel;
  if (parameter >= kernel->elements && parameter < kernel->elements + KERNEL_ELEMENTS_MAX)
    return &call->element_tensors[parameter - kernel->elements];
  return &call->tensors[parameter - kernel->parameters];
}

static TVMFFIAny tensor_value(KernelCall *call, const KernelParameter *parameter, bool inside)
{
  TensorForm form = inside && call->elements ? *call->elements : (TensorForm){0};
  form.as_object = inside;
  if (inside) form.row_gap += form.row_gap_step * (parameter - call->kernel->elements);
  KernelParameter made = *parameter;
  if (!parameter->typed && !call->kernel->stands_in) return any_none();
  if (!parameter->typed) kernel_stand_in(&made);
  if (inside) made.spellings = 0;
  KernelTensor *tensor = place_of(call, parameter);
  *tensor = new_kernel_tensor(call->iut, &made, &form);
  return kernel_tensor_value(tensor);
}

TVMFFIAny kernel_value_of(KernelCall *call, const KernelParameter *parameter, bool inside)
{
  TVMFFIAny value = any_none();
  switch (parameter->kind) {
    case KERNEL_INT:
      return view_of_int(parameter->integer);
    case KERNEL_BOOL:
      return plain(kTVMFFIBool, parameter->integer != 0);
    case KERNEL_FLOAT:
      value.type_index = kTVMFFIFloat;
      value.v_float64 = parameter->number;
      return value;
    case KERNEL_POINTER:
      return plain(kTVMFFIOpaquePtr, (uintptr_t)fenced_buffer("what a pointer points to", 64));
    case KERNEL_DTYPE:
      value.type_index = kTVMFFIDataType;
      value.v_dtype = dtype_value(call, parameter);
      return value;
    case KERNEL_DEVICE:
      value.type_index = kTVMFFIDevice;
      value.v_device = device_value(parameter);
      return value;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      return text_value(call, parameter, inside);
    case KERNEL_SHAPE:
      return shape_value(call, parameter);
    case KERNEL_OBJECT:
      return kernel_kept_value(call->kept, parameter->text);
    case KERNEL_FUNCTION:
      return kernel_callback_value(call, parameter);
    case KERNEL_TENSOR:
      return tensor_value(call, parameter, inside);
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
      return container_value(call, parameter);
    default:
      return value;
  }
}
