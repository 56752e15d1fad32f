// SPDX-License-Identifier: Apache-2.0
// Reading and making values and objects, whatever the ABI generation: cases go through these, never
// through the fields of a header.
#ifndef TVMFFI_CONFORMANCE_BATTERY_ACCESS_H_
#define TVMFFI_CONFORMANCE_BATTERY_ACCESS_H_

#include <string.h>

#include "battery/iut.h"

// --- Objects -------------------------------------------------------------------------------------

static inline uint64_t object_counter_(TVMFFIObjectHandle object, size_t offset, size_t width)
{
  const char *at = (const char *)object + offset;
  if (width == 4) return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_ACQUIRE);
  return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
}

static inline uint64_t object_strong(const Iut *iut, TVMFFIObjectHandle object)
{
  return object_counter_(object, iut->layout->strong_offset, iut->layout->strong_width);
}

static inline uint64_t object_weak(const Iut *iut, TVMFFIObjectHandle object)
{
  return object_counter_(object, iut->layout->weak_offset, iut->layout->weak_width);
}

static inline int32_t object_type_index(const Iut *iut, TVMFFIObjectHandle object)
{
  int32_t index;
  memcpy(&index, (const char *)object + iut->layout->type_index_offset, sizeof index);
  return index;
}

// What follows the header: the cell of a string, error, function, ...
static inline void *object_body(const Iut *iut, TVMFFIObjectHandle object)
{
  return (char *)object + iut->layout->header_size;
}

// A column of attributes in today's form. In a runtime before 0.1.9 a column begins with
// type index 0, and its size is a size_t: where pointers have 32 bits it ends behind that.
TVMFFITypeAttrColumn column_seen(const Iut *iut, const TVMFFITypeAttrColumn *column);

// Takes one weak reference, as bindings do it inline: no function of the C API does.
void object_take_weak(const Iut *iut, TVMFFIObjectHandle object);

// Gives one weak reference back, as bindings do it inline; calls the deleter with the weak flag on
// the last one.
void object_release_weak(const Iut *iut, TVMFFIObjectHandle object);
// Adds a strong reference, as the holder of a weak one does; false if there is none left.
bool object_promote(const Iut *iut, TVMFFIObjectHandle object);

// --- Values --------------------------------------------------------------------------------------

// All 16 bytes 0xA5 but the type index, which is None: a result slot as the contract allows it to
// be handed in.
TVMFFIAny garbage_but_none(void);
// A None with all bytes zero.
TVMFFIAny any_none(void);
// Values with every unused byte zero.
TVMFFIAny view_of_int(int64_t number);
TVMFFIAny view_of_raw_string(const char *text);              // type index 8
TVMFFIAny view_of_byte_array(const TVMFFIByteArray *array);  // type index 9
TVMFFIAny view_of_object(const Iut *iut,
                         TVMFFIObjectHandle object);  // index from the object's header
// A view that hands over the reference held in `*slot` (type index 10).
TVMFFIAny view_of_rvalue(TVMFFIObjectHandle *slot);

// A byte array over a C string's characters, without its NUL.
TVMFFIByteArray bytes_of(const char *text);

// Releases what an owned value holds, and makes it None.
void release_any(const Iut *iut, TVMFFIAny *value);
// Gives one strong reference back.
void release_object(const Iut *iut, TVMFFIObjectHandle object);

// The raised error (own) or NULL.
TVMFFIObjectHandle take_error(const Iut *iut);
// Lets an error update its backtrace, through the function that its cell holds. In the generation
// of September 2025 it can only replace it; appending is done as bindings did it then, by replacing
// it with the longer text.
void error_update_backtrace(const Iut *iut, TVMFFIObjectHandle error, const TVMFFIByteArray *text,
                            int32_t mode);
// The cell of an error object. In every generation it begins with its three texts; what follows is
// as in 0.1 only there.
static inline TVMFFIErrorCell *error_cell(const Iut *iut, TVMFFIObjectHandle error)
{
  return object_body(iut, error);
}

#endif  // TVMFFI_CONFORMANCE_BATTERY_ACCESS_H_
