// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_probe.h"

#include <stdio.h>

#include "battery/access.h"
#include "battery/expect.h"
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
  int size = snprintf(text, sizeof text, "%d\n", call->returned);
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
