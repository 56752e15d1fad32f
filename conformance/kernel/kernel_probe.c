// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_probe.h"

#include <stdio.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "kernel/kernel_call.h"
#include "plan/case.h"

void kernel_probe(Iut *iut)
{
  KernelCall *call = new_right_call(iut, kernel_under_test());
  char text[640];
  make_call(call);
  int size = snprintf(text, sizeof text, "%d\n", call->returned);
  if (call->error && object_type_index(iut, call->error) == kTVMFFIError) {
    const TVMFFIErrorCell *cell = error_cell(iut, call->error);
    size +=
        snprintf(text + size, sizeof text - (size_t)size, "%.*s: %.*s",
                 (int)(cell->kind.size < 48 ? cell->kind.size : 48), cell->kind.data,
                 (int)(cell->message.size < 500 ? cell->message.size : 500), cell->message.data);
  }
  note_program(text, (size_t)size < sizeof text ? (size_t)size : sizeof text - 1);
}
