// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_probe.h"

#include <inttypes.h>
#include <stdio.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_call.h"
#include "plan/case.h"
#include "plan/signature_probe.h"

// Whether a call that was served has written to no tensor, and returns no object: it may have found nothing
// to do.
static bool is_idle(const KernelCall *call)
{
  bool writable = false, written = false;
  for (unsigned i = 0; i < KERNEL_TENSORS_MAX; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    if (!tensor->tensor || tensor->role == KERNEL_IN) continue;
    writable |= tensor->count > 0;
    written |= !tensor->on_host || !kernel_tensor_untouched(tensor);
  }
  return call->returned == 0 && !call->launched && writable && !written &&
         call->result->type_index < kTVMFFIStaticObjectBegin;
}

// As bits, the places of the tensors that were written.
static uint64_t written_by(const KernelCall *call)
{
  enum { BITS = 64 };
  const unsigned end = kernel_call_tensor_end(call);
  uint64_t written = 0;
  for (unsigned i = 0; i < end; ++i) {
    const KernelTensor *tensor = kernel_call_tensor_of(call, i);
    const uint32_t place =
        i < KERNEL_PARAMETERS_MAX ? i : call->kernel->parameter_count + (i - KERNEL_PARAMETERS_MAX);
    if (tensor->memory && tensor->on_host && place < BITS && !kernel_tensor_untouched(tensor))
      written |= UINT64_C(1) << place;
  }
  return written;
}

// Of what came of a call that was served; 0 if that can't be looked at.
static uint64_t digest_of(const KernelCall *call)
{
  ApartOutcome *outcome = kernel_apart_outcomes(1);
  uint64_t digest = UINT64_C(14695981039346656037);
  if (call->returned != 0 || !kernel_apart_take(call, true, outcome)) return 0;
  for (uint32_t i = 0; i < outcome->used; ++i)
    digest = (digest ^ outcome->bytes[i]) * UINT64_C(1099511628211);
  return digest ? digest : 1;
}

void kernel_probe(Iut *iut)
{
  KernelCall *call = new_right_call(iut, kernel_under_test());
  char text[2048];
  // With memory behind the elements: what is read there is judged once the function is known. A call
  // that is known to be served lies at the end of it.
  bool found = call->kernel->found;
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i)
    if (call->tensors[i].tensor && call->kernel->parameters[i].typed)
      call_with_tensor(call, i, &(TensorForm){.at_start = !found, .at_end = found});
  make_call(call);
  int size = snprintf(text, sizeof text, "%d %" PRIx64 " %" PRIx64 "\n", call->returned,
                      digest_of(call), written_by(call));
  if (call->error && object_type_index(iut, call->error) == kTVMFFIError) {
    const TVMFFIErrorCell *cell = error_cell(iut, call->error);
    size +=
        snprintf(text + size, sizeof text - (size_t)size, "%.*s: %.*s",
                 (int)(cell->kind.size < 48 ? cell->kind.size : 48), cell->kind.data,
                 (int)(cell->message.size < 1900 ? cell->message.size : 1900), cell->message.data);
  }
  if (is_idle(call))
    size += snprintf(text + size, sizeof text - (size_t)size, "%s", SIGNATURE_PROBE_IDLE);
  note_program(text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}
