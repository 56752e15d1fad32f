// SPDX-License-Identifier: Apache-2.0
// The header of an object, changed by hand as its maker may: counts, deleter, and headers at places
// that a case chooses.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_OBJECT_HEADER_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_OBJECT_HEADER_H_

#include "battery/battery.h"

enum { OBJECT_HEADER_MAX = 32 };

typedef void ObjectDeleter(void *self, int flags);

static inline void object_set_counter_(TVMFFIObjectHandle object, size_t offset, size_t width,
                                       uint64_t value)
{
  char *at = (char *)object + offset;
  if (width == 4)
    __atomic_store_n((uint32_t *)(void *)at, (uint32_t)value, __ATOMIC_RELEASE);
  else
    __atomic_store_n((uint64_t *)(void *)at, value, __ATOMIC_RELEASE);
}

// Sets both counts. Nobody else may be counting at that time.
static inline void object_set_counts(const Iut *iut, TVMFFIObjectHandle object, uint64_t strong,
                                     uint64_t weak)
{
  object_set_counter_(object, iut->layout->strong_offset, iut->layout->strong_width, strong);
  object_set_counter_(object, iut->layout->weak_offset, iut->layout->weak_width, weak);
}

static inline ObjectDeleter *object_deleter(const Iut *iut, TVMFFIObjectHandle object)
{
  ObjectDeleter *deleter;
  memcpy(&deleter, (char *)object + iut->layout->deleter_offset, sizeof deleter);
  return deleter;
}

static inline void object_set_deleter(const Iut *iut, TVMFFIObjectHandle object,
                                      ObjectDeleter *deleter)
{
  memcpy((char *)object + iut->layout->deleter_offset, &deleter, sizeof deleter);
}

// Makes the header of a new object, strong 1 and weak 1, at `memory`, which is aligned to 8 bytes
// and has room for OBJECT_HEADER_MAX bytes or those of the generation. Returns the handle.
static inline TVMFFIObjectHandle object_place(const Iut *iut, void *memory, int32_t type_index,
                                              ObjectDeleter *deleter)
{
  memset(memory, 0, iut->layout->header_size);
  memcpy((char *)memory + iut->layout->type_index_offset, &type_index, sizeof type_index);
  object_set_deleter(iut, memory, deleter);
  object_set_counts(iut, memory, 1, 1);
  return memory;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_OBJECT_HEADER_H_
