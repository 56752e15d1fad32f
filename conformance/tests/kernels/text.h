// SPDX-License-Identifier: Apache-2.0
// text(s), where s is a string: what is computed of its contents. An including file says in WRONG
// what it does besides, and in GIVE what it gives of `s`, a statement over `text` and `result`.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_H_

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

enum {
  TAKES_BYTES = 1 << 0,
  ONLY_RAW = 1 << 1,
  FOLLOWS_SMALL = 1 << 2,  // what stands in a small string is an address
};

#ifndef WRONG
#define WRONG 0
#endif
#ifndef GIVE
#define GIVE give_sum(text, result)
#endif

static inline bool is_wrong(int what)
{
  return (WRONG & what) != 0;
}

static inline int give_sum(TVMFFIByteArray text, TVMFFIAny *result)
{
  int64_t sum = (int64_t)text.size;
  for (size_t i = 0; i < text.size; ++i) sum = (sum * 31 + (unsigned char)text.data[i]) % 65521;
  memset(result, 0, sizeof *result);
  result->type_index = kTVMFFIInt;
  result->v_int64 = sum;
  return 0;
}

static inline bool take_text(const TVMFFIAny *arg, TVMFFIByteArray *out)
{
  int32_t index = arg->type_index;
  if (index == kTVMFFIRawStr || (index == kTVMFFISmallStr && is_wrong(FOLLOWS_SMALL)))
    *out = (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
  else if (is_wrong(ONLY_RAW))
    return false;
  else if (index == kTVMFFISmallStr || (index == kTVMFFISmallBytes && is_wrong(TAKES_BYTES)))
    *out = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
  else if (index == kTVMFFIStr || (index == kTVMFFIBytes && is_wrong(TAKES_BYTES)))
    memcpy(out, (const char *)arg->v_obj + sizeof(TVMFFIObject), sizeof *out);
  else if (index == kTVMFFIByteArrayPtr && is_wrong(TAKES_BYTES))
    *out = *(const TVMFFIByteArray *)arg->v_ptr;
  else
    return false;
  return true;
}

__attribute__((visibility("default"))) int __tvm_ffi_text(void *handle, const TVMFFIAny *args,
                                                          int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_text(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray text;
  (void)handle;
  if (num_args != 1) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "text takes 1 argument, s");
    return -1;
  }
  if (!take_text(&args[0], &text)) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "s has to be a string");
    return -1;
  }
  return GIVE;
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_TEXT_H_
