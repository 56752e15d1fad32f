// SPDX-License-Identifier: Apache-2.0
// give(n): returns what the including file says in GIVE, statements over `n` and `result`.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_GIVE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_GIVE_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static inline void give_value(TVMFFIAny *result, int32_t type_index, uint64_t payload)
{
  memset(result, 0, sizeof *result);
  result->type_index = type_index;
  result->v_uint64 = payload;
}

__attribute__((visibility("default"))) int __tvm_ffi_give(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_give(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "give takes 1 argument, n");
    return -1;
  }
  if (args[0].type_index != kTVMFFIInt && args[0].type_index != kTVMFFIBool) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "n has to be an int");
    return -1;
  }
  int64_t n = args[0].v_int64;
  GIVE;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_GIVE_H_
