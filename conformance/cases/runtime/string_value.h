// SPDX-License-Identifier: Apache-2.0
// The text in a value, however the runtime chose to keep it.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_

#include "run/battery.h"

// Borrow: the bytes of a string in `value`: small, an object, or a C string. Data NULL if it holds
// none.
static inline TVMFFIByteArray text_in(const Iut *iut, const TVMFFIAny *value)
{
  if (value->type_index == kTVMFFISmallStr)
    return (TVMFFIByteArray){value->v_bytes, value->small_str_len};
  if (value->type_index == kTVMFFIRawStr) return bytes_of(value->v_c_str);
  if (value->type_index != kTVMFFIStr) return (TVMFFIByteArray){NULL, 0};
  return *(const TVMFFIByteArray *)object_body(iut, value->v_obj);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_
