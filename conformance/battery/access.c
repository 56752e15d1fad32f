// SPDX-License-Identifier: Apache-2.0
#include "battery/access.h"

#include <stdlib.h>

#include "battery/expect.h"

static char *field(TVMFFIObjectHandle object, size_t offset)
{
  return (char *)object + offset;
}

// Adds `delta` to a counter of 4 or 8 bytes and returns what it held before.
static uint64_t counter_add(void *at, size_t width, int delta)
{
  if (width == 4) return __atomic_fetch_add((uint32_t *)at, (uint32_t)delta, __ATOMIC_ACQ_REL);
  return __atomic_fetch_add((uint64_t *)at, (uint64_t)delta, __ATOMIC_ACQ_REL);
}

void object_take_weak(const Iut *iut, TVMFFIObjectHandle object)
{
  counter_add(field(object, iut->layout->weak_offset), iut->layout->weak_width, 1);
}

void object_release_weak(const Iut *iut, TVMFFIObjectHandle object)
{
  void (*deleter)(void *self, int flags);
  memcpy(&deleter, field(object, iut->layout->deleter_offset), sizeof deleter);
  if (counter_add(field(object, iut->layout->weak_offset), iut->layout->weak_width, -1) == 1 &&
      deleter)
    deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

bool object_promote(const Iut *iut, TVMFFIObjectHandle object)
{
  void *at = field(object, iut->layout->strong_offset);
  if (iut->layout->strong_width == 4) {
    uint32_t count = __atomic_load_n((uint32_t *)at, __ATOMIC_RELAXED);
    while (count != 0)
      if (__atomic_compare_exchange_n((uint32_t *)at, &count, count + 1, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
        return true;
    return false;
  }
  uint64_t count = __atomic_load_n((uint64_t *)at, __ATOMIC_RELAXED);
  while (count != 0)
    if (__atomic_compare_exchange_n((uint64_t *)at, &count, count + 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return true;
  return false;
}

TVMFFIAny garbage_but_none(void)
{
  TVMFFIAny value;
  memset(&value, 0xA5, sizeof value);
  value.type_index = kTVMFFINone;
  return value;
}

TVMFFITypeAttrColumn column_seen(const Iut *iut, const TVMFFITypeAttrColumn *column)
{
  const bool reads_the_same =
      sizeof(size_t) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;  // size, and 0
  if (reads_the_same || iut->version >= ABI_VERSION(0, 1, 9)) return *column;
  TVMFFITypeAttrColumn seen = {.data = column->data};
  size_t size;
  memcpy(&size, (const char *)column + offsetof(TVMFFITypeAttrColumn, size), sizeof size);
  seen.size = size < INT32_MAX ? (int32_t)size : INT32_MAX;
  return seen;
}

TVMFFIAny any_none(void)
{
  TVMFFIAny value;
  memset(&value, 0, sizeof value);
  return value;
}

TVMFFIAny view_of_int(int64_t number)
{
  TVMFFIAny value = any_none();
  value.type_index = kTVMFFIInt;
  value.v_int64 = number;
  return value;
}

static TVMFFIAny view_of_pointer(int32_t type_index, const void *pointer)
{
  TVMFFIAny value = any_none();
  value.type_index = type_index;
  memcpy(&value.v_ptr, &pointer, sizeof pointer);
  return value;
}

TVMFFIAny view_of_raw_string(const char *text)
{
  return view_of_pointer(kTVMFFIRawStr, text);
}

TVMFFIAny view_of_byte_array(const TVMFFIByteArray *array)
{
  return view_of_pointer(kTVMFFIByteArrayPtr, array);
}

TVMFFIAny view_of_object(const Iut *iut, TVMFFIObjectHandle object)
{
  return view_of_pointer(object_type_index(iut, object), object);
}

TVMFFIAny view_of_rvalue(TVMFFIObjectHandle *slot)
{
  return view_of_pointer(kTVMFFIObjectRValueRef, slot);
}

TVMFFIByteArray bytes_of(const char *text)
{
  return (TVMFFIByteArray){text, strlen(text)};
}

void release_any(const Iut *iut, TVMFFIAny *value)
{
  if (value->type_index >= kTVMFFIStaticObjectBegin && value->v_obj)
    iut->ObjectDecRef(value->v_obj);
  *value = any_none();
}

void release_object(const Iut *iut, TVMFFIObjectHandle object)
{
  iut->ObjectDecRef(object);
}

void error_update_backtrace(const Iut *iut, TVMFFIObjectHandle error, const TVMFFIByteArray *text,
                            int32_t mode)
{
  void (*update)(TVMFFIObjectHandle, const TVMFFIByteArray *, int32_t) =
      error_cell(iut, error)->update_backtrace;
  require(expect_that(update != NULL, "a function that updates the backtrace", "NULL"));
  if (iut->generation == ABI_GENERATION_0_1) {
    update(error, text, mode);
    return;
  }
  void (*update_2025_09)(TVMFFIObjectHandle, const TVMFFIByteArray *);
  memcpy(&update_2025_09, &error_cell(iut, error)->update_backtrace, sizeof update_2025_09);
  if (mode == kTVMFFIBacktraceUpdateModeReplace) {
    update_2025_09(error, text);
    return;
  }
  TVMFFIByteArray old = error_cell(iut, error)->backtrace;
  TVMFFIByteArray both = {NULL, old.size + text->size};
  char *joined = malloc(both.size + 1);
  if (!joined) case_inconclusive("no memory for a traceback of %zu bytes", both.size);
  if (old.size) memcpy(joined, old.data, old.size);
  if (text->size) memcpy(joined + old.size, text->data, text->size);
  both.data = joined;
  update_2025_09(error, &both);
  free(joined);
}

TVMFFIObjectHandle take_error(const Iut *iut)
{
  TVMFFIObjectHandle error = NULL;
  iut->ErrorMoveFromRaised(&error);
  return error;
}
