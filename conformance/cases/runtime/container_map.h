// SPDX-License-Identifier: Apache-2.0
// Maps and dicts are read by functions of their own that do the same: a case is written once and
// runs with either set of names. For the main thread of a case.
#ifndef TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_MAP_H_
#define TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_MAP_H_

#include "cases/runtime/container_calling.h"

typedef struct MapKind {
  const char *make, *size, *count, *get, *get_or_missing, *walk;
} MapKind;

static const MapKind the_map = {"ffi.Map",
                                "ffi.MapSize",
                                "ffi.MapCount",
                                "ffi.MapGetItem",
                                "ffi.MapGetItemOrMissing",
                                "ffi.MapForwardIterFunctor"};
static const MapKind the_dict = {"ffi.Dict",
                                 "ffi.DictSize",
                                 "ffi.DictCount",
                                 "ffi.DictGetItem",
                                 "ffi.DictGetItemOrMissing",
                                 "ffi.DictForwardIterFunctor"};

// The key leads to this plain value.
// bool expect_entry(Iut *, const MapKind *, TVMFFIAny map, TVMFFIAny key, TVMFFIAny value)
#define expect_entry(...) expect_entry_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_entry_(const char *at, Iut *iut, const MapKind *kind, TVMFFIAny map,
                                 TVMFFIAny key, TVMFFIAny value)
{
  return expect_gives_(at, iut, view_of_int(1), kind->count, VALUES(map, key)) &&
         expect_gives_(at, iut, value, kind->get, VALUES(map, key));
}

// The map lacks the key.
#define expect_no_entry(...) expect_no_entry_(EXPECT_HERE_, __VA_ARGS__)
static inline bool expect_no_entry_(const char *at, Iut *iut, const MapKind *kind, TVMFFIAny map,
                                    TVMFFIAny key)
{
  return expect_gives_(at, iut, view_of_int(0), kind->count, VALUES(map, key)) &&
         expect_refused_(at, iut, "KeyError", kind->get, VALUES(map, key));
}

// Called with each entry in the order of iteration. Key and value are owned by the callee.
typedef void (*EntryVisit)(Iut *iut, int64_t place, TVMFFIAny key, TVMFFIAny value, void *context);

// Walks through a map that is not empty, to its end; expects that to come after `size` entries.
#define expect_walk(...) expect_walk_(EXPECT_HERE_, __VA_ARGS__)
// NOLINTNEXTLINE(readability-function-size): the first parameter is the macro's
static inline bool expect_walk_(const char *at, Iut *iut, const MapKind *kind, TVMFFIAny map,
                                int64_t size, EntryVisit visit, void *context)
{
  TVMFFIObjectHandle walk = object_of_(at, iut, kind->walk, VALUES(map));
  bool good = true;
  for (int64_t i = 0; good && i < size; ++i) {
    TVMFFIAny key = any_none(), value = any_none(), more = any_none();
    good = expect_ok_(at, iut, iut->FunctionCall(walk, VALUES(view_of_int(0)), &key)) &&
           expect_ok_(at, iut, iut->FunctionCall(walk, VALUES(view_of_int(1)), &value));
    if (good) visit(iut, i, key, value, context);
    TVMFFIAny expected = view_of_bool(i + 1 < size);
    good = good && expect_ok_(at, iut, iut->FunctionCall(walk, VALUES(view_of_int(2)), &more)) &&
           expect_same_bytes_(at, &more, &expected);
  }
  release_object(iut, walk);
  return good;
}

#endif  // TVMFFI_CONFORMANCE_CASES_RUNTIME_CONTAINER_MAP_H_
