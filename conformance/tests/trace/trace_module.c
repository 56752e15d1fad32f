// SPDX-License-Identifier: Apache-2.0
// A module for trace_bugs: a function that should ask for the stream, and a deleter.
#include <stdbool.h>

#include "abi/abi.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED TVMFFIStreamHandle (*trace_module_stream)(int32_t device_type, int32_t device_id);

EXPORTED int __tvm_ffi_kernel(void *self, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  if (trace_module_stream) trace_module_stream(kDLCUDA, 0);
  return 0;
}

EXPORTED void trace_module_deleter(void *self, int flags)
{
  (void)self, (void)flags;
}
