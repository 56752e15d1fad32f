// SPDX-License-Identifier: Apache-2.0
// What nearly every case of the chapter type does, in one line each. Those that `require` are for
// the main thread of a case.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_TYPE_REGISTERING_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_TYPE_REGISTERING_H_

#include <stdio.h>

#include "battery/battery.h"

// A new type as it is asked for. What is left out: child of ffi.Object without slots, overflow
// forbidden.
typedef struct TypePlan {
  int32_t parent;  // 0 means ffi.Object
  int32_t slots;
  bool overflow;
} TypePlan;

static inline const TVMFFITypeInfo *info_of(Iut *iut, int32_t type_index)
{
  const TVMFFITypeInfo *info = iut->GetTypeInfo(type_index);
  require(expect_not_null("the type information", info));
  return info;
}

// Registers a key under a parent, one level below it, and returns its index.
static inline int32_t register_key(Iut *iut, const TVMFFIByteArray *key, TypePlan plan)
{
  int32_t parent = plan.parent ? plan.parent : kTVMFFIObject;
  int32_t depth = info_of(iut, parent)->type_depth + 1;
  return iut->TypeGetOrAllocIndex(key, -1, depth, plan.slots, plan.overflow, parent);
}

// The same for a text, fenced, which must be a new key: the index is one that is given out at run
// time.
static inline int32_t new_type(Iut *iut, const char *key, TypePlan plan)
{
  int32_t index = register_key(iut, fenced_bytes(key, strlen(key)), plan);
  require(expect_that(index >= kTVMFFIDynObjectBegin, "an index of 128 or more for a new key",
                      "%" PRId32 " for %s", index, key));
  return index;
}

// The same with a number behind the text and without a fence, for those that are many.
static inline int32_t new_numbered_type(Iut *iut, const char *text, unsigned number, TypePlan plan)
{
  char key[64];
  TVMFFIByteArray array = {key, (size_t)snprintf(key, sizeof key, "%s.%u", text, number)};
  return register_key(iut, &array, plan);
}

// The index of a key that is registered; -1 if it is not, with an expectation that failed.
static inline int32_t index_of(Iut *iut, const TVMFFIByteArray *key)
{
  int32_t index = -1;
  int code = iut->TypeKeyToIndex(key, &index);
  return expect_ok(iut, code) ? index : -1;
}

static inline bool expect_index(Iut *iut, const TVMFFIByteArray *key, int32_t expected)
{
  return expect_int("the index of the key", index_of(iut, key), expected);
}

// The key is not registered: asking for it is refused.
static inline bool expect_unknown(Iut *iut, const TVMFFIByteArray *key)
{
  int32_t index = -1;
  return expect_failure(iut, iut->TypeKeyToIndex(key, &index));
}

// The information names this index and these bytes as key.
static inline bool expect_named(Iut *iut, int32_t index, const void *key, size_t size)
{
  const TVMFFITypeInfo *info = info_of(iut, index);
  return expect_int("the index in the type information", info->type_index, index) &&
         expect_memory("the key in the type information", info->type_key.data, info->type_key.size,
                       key, size);
}

// Whether one type descends from another, by the ancestors in its information.
static inline bool descends_from(Iut *iut, int32_t index, int32_t ancestor)
{
  const TVMFFITypeInfo *info = info_of(iut, index);
  for (int32_t depth = 0; depth < info->type_depth; ++depth)
    if (info->type_ancestors[depth]->type_index == ancestor) return true;
  return false;
}

// An index far from all that are given out.
enum { NO_TYPE = 0x00ABCDE0 };

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_TYPE_REGISTERING_H_
