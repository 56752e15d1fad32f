// SPDX-License-Identifier: Apache-2.0
// breaks SHOULD: KER-3
// The kernel of "Function, Exception and Module", section "Raise Errors in C": it looks at the number of its arguments,
// and its work is left out there.
#include <tvm/ffi/c_api.h>

int __tvm_ffi_my_kernel(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args < 2) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", "Expected at least 2 arguments");
    return -1;
  }
  return 0;
}
