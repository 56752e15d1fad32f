// SPDX-License-Identifier: Apache-2.0
// Libraries for runtimes to load: modules without a runtime of their own. They need no symbol of
// anybody, so that any runtime can load them, and have no constructor unless that is what they are
// about.
#ifndef TVMFFI_CONFORMANCE_LIBRARIES_EXPORTED_H_
#define TVMFFI_CONFORMANCE_LIBRARIES_EXPORTED_H_

#include <tvm/ffi/c_api.h>

#define EXPORTED __attribute__((visibility("default"), used))

// A function of a module: `name` with the prefix under which loaders look for it.
#define MODULE_FUNCTION(name) MODULE_FUNCTION_AS_(name)
#define MODULE_FUNCTION_AS_(name)                                                        \
  EXPORTED int __tvm_ffi_##name(void *self, const TVMFFIAny *args, int32_t num_args,     \
                                TVMFFIAny *result);                                      \
  int __tvm_ffi_##name(                                                                  \
      __attribute__((unused)) void *self, __attribute__((unused)) const TVMFFIAny *args, \
      __attribute__((unused)) int32_t num_args, __attribute__((unused)) TVMFFIAny *result)

// Gives an integer.
static inline int give_integer(TVMFFIAny *result, int64_t value)
{
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = value;
  return 0;
}

// Gives a text of at most 7 bytes, which needs no runtime.
static inline int give_short_text(TVMFFIAny *result, const char *text)
{
  result->type_index = kTVMFFISmallStr;
  result->v_uint64 = 0;
  for (result->small_str_len = 0; text[result->small_str_len]; ++result->small_str_len)
    result->v_bytes[result->small_str_len] = text[result->small_str_len];
  return 0;
}

#endif  // TVMFFI_CONFORMANCE_LIBRARIES_EXPORTED_H_
