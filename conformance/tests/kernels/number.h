// SPDX-License-Identifier: Apache-2.0
// number(n), where n is a number, gives n back as it came: an int, a bool or a float. An including
// file says in TRUE_IS what it makes of true.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_NUMBER_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_NUMBER_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef TAKES_FLOAT
#define TAKES_FLOAT false
#endif

// Whether a float is taken, and the error if it is not.
#ifndef IN_LIMITS
#define IN_LIMITS(number) true
#endif
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef COMPLAINT
#define COMPLAINT(number) "n has to be less"
#endif

__attribute__((visibility("default"))) int __tvm_ffi_number(void *handle, const TVMFFIAny *args,
                                                            int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_number(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "number takes 1 argument, n");
    return -1;
  }
  int32_t index = args[0].type_index;
  if (index != kTVMFFIInt && index != kTVMFFIBool && (index != kTVMFFIFloat || !TAKES_FLOAT)) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "n has to be a number");
    return -1;
  }
  const double number = index == kTVMFFIFloat ? args[0].v_float64 : (double)args[0].v_int64;
  BEFORE;
  if (!(IN_LIMITS(number))) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", COMPLAINT(number));
    return -1;
  }
  (void)number;
  *result = args[0];
#ifdef TRUE_IS
  if (index == kTVMFFIBool && args[0].v_int64) {
    result->type_index = kTVMFFIInt;
    result->v_int64 = TRUE_IS;
  }
#endif
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_NUMBER_H_
