// SPDX-License-Identifier: Apache-2.0
// make(n): a tensor of n floats, all 1, in memory of the environment. An including file says in
// CHECKED whether its code is looked at.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_MAKE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_MAKE_H_

#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifndef CHECKED
#define CHECKED 1
#endif

static inline int make_fail(const char *kind, const char *message)
{
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_make(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_make(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1) return make_fail("TypeError", "make takes 1 argument, n");
  if (args[0].type_index != kTVMFFIInt && args[0].type_index != kTVMFFIBool)
    return make_fail("TypeError", "n has to be an int");
  int64_t n = args[0].v_int64;
  if (n < 0 || n > 1024) return make_fail("ValueError", "n has to be from 0 to 1024");
  DLTensor prototype = {.device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 32, 1}, .shape = &n};
  TVMFFIObjectHandle made = NULL;
  int code = TVMFFIEnvTensorAlloc(&prototype, &made);
  if (CHECKED && code != 0) return code;
  if (!made) return 0;
  float *to = (float *)((DLTensor *)(void *)((char *)made + sizeof(TVMFFIObject)))->data;
  for (int64_t i = 0; i < n; ++i) to[i] = 1;
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFITensor;
  result->v_obj = made;
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_MAKE_H_
