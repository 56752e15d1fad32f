// SPDX-License-Identifier: Apache-2.0
// Calls of the functions that a runtime registers from the start, and the values that go into them.
// For the main thread of a case: what must succeed ends the case if it does not.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_CALLING_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_CALLING_H_

#include "battery/battery.h"
#include "battery/registered.h"

// --- Values --------------------------------------------------------------------------------------

// A plain value: these 8 bytes under this type index.
// Of data types and devices: the bits as DTYPE_BITS and DEVICE_BITS take them.
static inline TVMFFIAny view_of_bits(int32_t type_index, uint64_t bits)
{
  TVMFFIAny value = any_none();
  value.type_index = type_index;
  value.v_uint64 = type_index == kTVMFFIDataType ? DTYPE_BITS(bits)
                   : type_index == kTVMFFIDevice ? DEVICE_BITS(bits)
                                                 : bits;
  return value;
}

static inline TVMFFIAny view_of_bool(bool truth)
{
  return view_of_bits(kTVMFFIBool, truth);
}

static inline TVMFFIAny view_of_float(double number)
{
  TVMFFIAny value = any_none();
  value.type_index = kTVMFFIFloat;
  value.v_float64 = number;
  return value;
}

// A small string or small bytes of at most 7 bytes.
static inline TVMFFIAny view_of_small(int32_t type_index, const void *bytes, size_t size)
{
  TVMFFIAny value = any_none();
  value.type_index = type_index;
  value.small_str_len = (uint32_t)size;
  memcpy(value.v_bytes, bytes, size);
  return value;
}

static inline TVMFFIAny view_of_small_string(const char *text)
{
  return view_of_small(kTVMFFISmallStr, text, strlen(text));
}

// Borrow: the content of an owned text, small or not; of anything else nothing.
static inline TVMFFIByteArray content_of(Iut *iut, const TVMFFIAny *text)
{
  int32_t type_index = text->type_index;
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFISmallBytes)
    return (TVMFFIByteArray){text->v_bytes, text->small_str_len};
  if (type_index == kTVMFFIStr || type_index == kTVMFFIBytes)
    return *(TVMFFIByteArray *)object_body(iut, text->v_obj);
  return (TVMFFIByteArray){NULL, 0};
}

// --- Calls ---------------------------------------------------------------------------------------

// The two arguments of what follows that are an array of values and their number.
#define VALUES(...)                                    \
  ((TVMFFIAny[]){{.type_index = 0}, __VA_ARGS__} + 1), \
      (sizeof((TVMFFIAny[]){{.type_index = 0}, __VA_ARGS__}) / sizeof(TVMFFIAny) - 1)

// Own: what the function gives, which must succeed; None if it gives nothing.
#define value_of(...) value_of_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIAny value_of_(const char *at, Iut *iut, const char *name, TVMFFIAny *args,
                                  size_t count)
{
  TVMFFIAny result = any_none();
  require(expect_ok_(at, iut, call_registered(iut, &result, name, args, count)));
  return result;
}

// Own: the object that the function gives.
#define object_of(...) object_of_(EXPECT_HERE_, __VA_ARGS__)
static inline TVMFFIObjectHandle object_of_(const char *at, Iut *iut, const char *name,
                                            TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = value_of_(at, iut, name, args, count);
  require(expect_that_(at, result.type_index >= kTVMFFIStaticObjectBegin && result.v_obj,
                       "an object as result", "type index %d", result.type_index));
  return result.v_obj;
}

// The function gives this plain value.
// bool expect_gives(Iut *iut, TVMFFIAny expected, const char *name, VALUES(...))
#define expect_gives(...) expect_gives_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_gives_(const char *at, Iut *iut, TVMFFIAny expected, const char *name,
                                 TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none();
  return expect_ok_(at, iut, call_registered(iut, &result, name, args, count)) &&
         expect_same_bytes_(at, &result, &expected);
}

// The function returns -1 and raises an error of this kind.
// bool expect_refused(Iut *iut, const char *kind, const char *name, VALUES(...))
#define expect_refused(...) expect_refused_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_refused_(const char *at, Iut *iut, const char *kind, const char *name,
                                   TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none();
  return expect_error_(at, iut, call_registered(iut, &result, name, args, count), kind);
}

// --- Containers ----------------------------------------------------------------------------------

// The cell of an array or list.
static inline TVMFFISeqCell *sequence_cell(Iut *iut, TVMFFIObjectHandle sequence)
{
  return object_body(iut, sequence);
}

// Borrow: its elements, as compiled code reads them.
static inline TVMFFIAny *sequence_elements(Iut *iut, TVMFFIObjectHandle sequence)
{
  return sequence_cell(iut, sequence)->data;
}

// The array or list holds these integers in this order.
// bool expect_integers(Iut *iut, handle, int count, (const int64_t[]){...})
#define expect_integers(...) expect_integers_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_integers_(const char *at, Iut *iut, TVMFFIObjectHandle sequence,
                                    int64_t count, const int64_t *expected)
{
  if (!expect_int_(at, "number of elements", sequence_cell(iut, sequence)->size, count))
    return false;
  const TVMFFIAny *elements = sequence_elements(iut, sequence);
  for (int64_t i = 0; i < count; ++i) {
    TVMFFIAny integer = view_of_int(expected[i]);
    if (!expect_same_bytes_(at, &elements[i], &integer)) return false;
  }
  return true;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_CALLING_H_
