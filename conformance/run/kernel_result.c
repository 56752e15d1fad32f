// SPDX-License-Identifier: Apache-2.0
#include "run/kernel_result.h"

#include <string.h>

#include "run/access.h"

// --- Text
// ------------------------------------------------------------------------------------------------

// Bytes that the sequence at `bytes` has, 0 if it is none.
static size_t sequence_length(const unsigned char *bytes, size_t left)
{
  unsigned char first = bytes[0];
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  if (length == 0 || length > left) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((bytes[i] & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && bytes[1] < 0xa0) return 0;
  if (first == 0xed && bytes[1] > 0x9f) return 0;
  if (first == 0xf0 && bytes[1] < 0x90) return 0;
  if (first == 0xf4 && bytes[1] > 0x8f) return 0;
  return length;
}

bool is_utf8(const char *bytes, size_t size)
{
  for (size_t at = 0; at < size;) {
    size_t length = sequence_length((const unsigned char *)bytes + at, size - at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

// --- Results
// ------------------------------------------------------------------------------------------------

uint64_t result_used_bytes(const TVMFFIAny *value)
{
  switch (value->type_index) {
    case kTVMFFINone:
      return 0;
    case kTVMFFIDataType:
      return UINT64_C(0xffffffff);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return value->small_str_len >= 8 ? ~UINT64_C(0)
                                       : (UINT64_C(1) << (8 * value->small_str_len)) - 1;
    default:
      return ~UINT64_C(0);
  }
}

// The contents of a string or bytes, small or not. False for another value.
static bool text_of(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *text)
{
  int32_t index = value->type_index;
  if (index == kTVMFFISmallStr || index == kTVMFFISmallBytes) {
    *text = (TVMFFIByteArray){value->v_bytes, value->small_str_len < 8 ? value->small_str_len : 7};
    return true;
  }
  if ((index != kTVMFFIStr && index != kTVMFFIBytes) || !value->v_obj) return false;
  *text = *(const TVMFFIByteArray *)object_body(iut, value->v_obj);
  return true;
}

// The elements of a tensor object that lies compactly on the host. False for another value.
static bool elements_of(Iut *iut, const TVMFFIAny *value, TVMFFIByteArray *elements)
{
  if (value->type_index != kTVMFFITensor || !value->v_obj) return false;
  const DLTensor *tensor = object_body(iut, value->v_obj);
  if (tensor->device.device_type != kDLCPU || tensor->ndim < 0 || tensor->ndim > 64) return false;
  int64_t count = 1;
  for (int32_t i = tensor->ndim; i-- > 0;) {
    if (tensor->strides && tensor->shape[i] > 1 && tensor->strides[i] != count) return false;
    count *= tensor->shape[i];
  }
  if (count < 0) return false;
  elements->data = (const char *)tensor->data + tensor->byte_offset;
  elements->size = ((size_t)count * tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  return true;
}

bool expect_same_result_(const char *at, Iut *iut, const TVMFFIAny *seen, const TVMFFIAny *expected)
{
  TVMFFIByteArray a, b;
  if (!expect_type_index_(at, seen, expected->type_index)) return false;
  if (text_of(iut, seen, &a) && text_of(iut, expected, &b))
    return expect_memory_(at, "characters of the result", a.data, a.size, b.data, b.size);
  if (elements_of(iut, seen, &a) && elements_of(iut, expected, &b))
    return expect_memory_(at, "elements of the result", a.data, a.size, b.data, b.size);
  if (seen->type_index >= kTVMFFIStaticObjectBegin) return true;
  return expect_same_bytes_(at, seen, expected);
}
