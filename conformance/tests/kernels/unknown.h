// SPDX-License-Identifier: Apache-2.0
// unknown(x, n, s): nobody says how it is called. An including file may leave a check out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_UNKNOWN_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_UNKNOWN_H_

#include <stdbool.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#ifndef CHECKS_COUNT
#define CHECKS_COUNT(num_args) ((num_args) == 3)
#endif
#ifndef IS_TENSOR
#define IS_TENSOR(arg) \
  ((arg)->type_index == kTVMFFIDLTensorPtr || (arg)->type_index == kTVMFFITensor)
#endif
#ifndef IS_INT
#define IS_INT(arg) ((arg)->type_index == kTVMFFIInt || (arg)->type_index == kTVMFFIBool)
#endif

static inline int unknown_fail(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("TypeError", message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_unknown(void *handle, const TVMFFIAny *args,
                                                             int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_unknown(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  (void)num_args;
  (void)result;
  if (!CHECKS_COUNT(num_args)) return unknown_fail("unknown: wrong number of arguments");
  bool is_text = args[2].type_index == kTVMFFIRawStr || args[2].type_index == kTVMFFISmallStr ||
                 args[2].type_index == kTVMFFIStr;
  if (!IS_TENSOR(&args[0]) || !args[0].v_ptr) return unknown_fail("x has to be a tensor");
  if (!IS_INT(&args[1])) return unknown_fail("n has to be an int");
  if (!is_text) return unknown_fail("s has to be a string");
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_UNKNOWN_H_
