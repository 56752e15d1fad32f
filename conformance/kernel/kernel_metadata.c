// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_metadata.h"

#include "battery/access.h"
#include "kernel/kernel_host.h"
#include "plan/case.h"

static void store(Evidence *evidence, const char *data, size_t size)
{
  if (size > EVIDENCE_TEXT_MAX - 1) size = EVIDENCE_TEXT_MAX - 1;
  if (size) memcpy(evidence->text, data, size);
  evidence->text_size = (uint32_t)size;
}

void kernel_metadata_fetch(Iut *iut, Evidence *evidence)
{
  TVMFFISafeCallType function = NULL;
  void *address = kernel_host_symbol("__tvm_ffi__metadata_", kernel_under_test()->name);
  if (!address) return;
  memcpy(&function, &address, sizeof function);
  TVMFFIAny result = any_none();
  if (function(NULL, NULL, 0, &result) != 0) return;
  if (result.type_index == kTVMFFISmallStr && result.small_str_len < 8)
    store(evidence, result.v_bytes, result.small_str_len);
  if (result.type_index == kTVMFFIStr && result.v_obj) {
    const TVMFFIByteArray *cell = object_body(iut, result.v_obj);
    store(evidence, cell->data, cell->size);
  }
}
