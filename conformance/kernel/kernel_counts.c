// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_counts.h"

#include <stdio.h>

#include "battery/access.h"
#include "battery/expect.h"

static uint64_t count(Iut *iut, TVMFFIObjectHandle object)
{
  if (!object) return 0;
  require(expect_ok(iut, iut->ObjectIncRef(object)));
  return object_strong(iut, object);
}

void kernel_counts_take(const KernelCall *call, KernelIsCounted *is_counted, bool inside,
                        KernelCounts *counts)
{
  const Kernel *kernel = call->kernel;
  *counts = (KernelCounts){.count = 0};
  for (uint32_t i = 0; inside && i < kernel->element_count; ++i) {
    counts->elements[i] = count(call->iut, call->element_tensors[i].object);
    counts->count += counts->elements[i] > 0;
  }
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    if (call->values[i].type_index < kTVMFFIStaticObjectBegin || !is_counted(call, i)) continue;
    counts->arguments[i] = count(call->iut, call->values[i].v_obj);
    counts->count += counts->arguments[i] > 0;
  }
}

// Whether the parameter with this element in its container may be kept.
static bool is_within_retained(const Kernel *kernel, uint32_t element)
{
  for (uint32_t i = 0; i < kernel_place_count(kernel); ++i) {
    const KernelParameter *at = kernel_place_of(kernel, i);
    const bool within =
        element >= at->first_element && element - at->first_element < at->element_count;
    if (!within) continue;
    if (at->retained) return true;
    if (i >= kernel->parameter_count && is_within_retained(kernel, i - kernel->parameter_count))
      return true;
  }
  return false;
}

bool expect_counts_stay_(const char *at, const KernelCall *call, const KernelCounts *counts,
                         unsigned more)
{
  const Kernel *kernel = call->kernel;
  char name[64], what[96];
  bool stay = true;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const uint64_t before = counts->arguments[i];
    if (before == 0) continue;
    snprintf(what, sizeof what, "references of %s", parameter_name(kernel, i, name));
    const uint64_t after = object_strong(call->iut, call->values[i].v_obj);
    const uint64_t most = more + (kernel->parameters[i].retained ? 1 : 0);
    const bool may_keep = after > before && after - before <= most;
    stay &= expect_int_(at, what, (int64_t)(may_keep ? before : after), (int64_t)before);
  }
  for (uint32_t i = 0; i < kernel->element_count; ++i) {
    const uint64_t before = counts->elements[i];
    if (before == 0 || kernel->elements[i].retained || is_within_retained(kernel, i)) continue;
    snprintf(what, sizeof what, "references of %s",
             kernel_tensor_name(kernel, KERNEL_PARAMETERS_MAX + i, name));
    stay &=
        expect_int_(at, what, (int64_t)object_strong(call->iut, call->element_tensors[i].object),
                    (int64_t)before);
  }
  return stay;
}
