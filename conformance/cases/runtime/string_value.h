// SPDX-License-Identifier: Apache-2.0
// Strings and bytes: what makes them, what they are made of, and the text in a value, however the
// runtime chose to keep it.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_

#include "battery/battery.h"

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

// What makes a value of a text.
typedef int TextMaker(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out);

static inline int string_from(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return iut->StringFromByteArray(input, out);
}

static inline int bytes_from(Iut *iut, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  return iut->BytesFromByteArray(input, out);
}

// Bytes with a period of 255, none of them NUL.
static inline void fill_text(char *bytes, size_t size)
{
  for (size_t i = 0; i < size && i < 255; ++i) bytes[i] = (char)(i + 1);
  for (size_t done = 255; done < size; done *= 2)
    memcpy(bytes + done, bytes, done < size - done ? done : size - done);
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_STRING_VALUE_H_
