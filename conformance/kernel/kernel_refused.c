// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_refused.h"

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/fence.h"
#include "battery/probe.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_stated.h"

bool look_for_refusal(KernelCall *call, StatedError stated)
{
  expect_error_as_stated(call, stated.kind, stated.message);
  return true;
}

bool look_at_memory(KernelCall *call, StatedError stated)
{
  bool tensors = false;
  (void)stated;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i)
    tensors |= kernel_call_tensor_of(call, i)->tensor != NULL;
  if (call->returned == 0 || !tensors) return false;
  expect_outputs_untouched(call);
  return true;
}

// Whether nobody but this call has an object among its arguments, nor may have one.
static bool is_alone(const KernelCall *call)
{
  const Kernel *kernel = call->kernel;
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    const bool inside = i >= kernel->parameter_count;
    if (at->retained || at->kind == KERNEL_OBJECT || (inside && at->element_count > 0))
      return false;
  }
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (call->values[i].type_index >= kTVMFFIStaticObjectBegin &&
        (object_strong(call->iut, call->values[i].v_obj) != 1 ||
         object_weak(call->iut, call->values[i].v_obj) != 1))
      return false;
  for (uint32_t i = 0; i < kernel->element_count; ++i) {
    TVMFFIObjectHandle object = call->element_tensors[i].object;
    if (object && (object_strong(call->iut, object) != 2 || object_weak(call->iut, object) != 1))
      return false;
  }
  return true;
}

void drop_refused(const KernelCall *call, unsigned before)
{
  if (call->returned != 0 && !call->kept && !call->kernel->launches && !kernel_cuda_chosen() &&
      is_alone(call))
    fences_give_back(before);
}

void kernel_require_judged(bool judged, bool refused)
{
  if (!judged)
    case_not_applicable(refused ? "none of the refused calls has a tensor"
                                : "none of these calls is refused");
}

static const char *lacks_tensors(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(kernel, i)->kind == KERNEL_TENSOR) return NULL;
  return "it takes no tensor";
}

void kernel_require_tensors(const Kernel *kernel)
{
  const char *lack = lacks_tensors(kernel);
  if (lack) case_not_applicable("%s", lack);
}

void kernel_require_no_object(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i)
    if (kernel_place_of(kernel, i)->kind == KERNEL_OBJECT)
      case_not_applicable("it takes an object, which keeps what calls do");
}

const char *kernel_lacks_atomic(const CaseInstance *instance)
{
  const char *lack = lacks_tensors(instance->kernel);
  return lack ? lack : kernel_lacks_promise(instance, SIGNATURE_ATOMIC);
}

bool look_for_leaks(KernelCall *call, StatedError stated)
{
  enum { TIMES = 300 };
  (void)stated;
  if (call->returned == 0) return false;
  drop_outcome(call);
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    TVMFFIObjectHandle object = kernel_call_tensor_of(call, i)->object;
    // Ours, and that of the container that it is in.
    if (object)
      expect_int("references of a tensor", (int64_t)object_strong(call->iut, object),
                 i < KERNEL_PARAMETERS_MAX ? 1 : 2);
  }
  expect_no_heap_growth(call->iut, TIMES, refuse_again, call);
  return true;
}
