// SPDX-License-Identifier: Apache-2.0
// Where an object keeps a field: the layouts that frontends know, by the type index that a field
// declares, with their getters and setters.
#ifndef REFERENCE_SRC_FRONTEND_PLACE_H_
#define REFERENCE_SRC_FRONTEND_PLACE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#include "core/any.h"
#include "native/native.h"
#include "type/type.h"

// Returns the getter of places that hold what this type index declares: Any, int, bool, float,
// pointer, data type, device, or the handle of an object. NULL for other type indices.
TVMFFIFieldGetter place_getter(int32_t type_index);

// Puts a value where a field is and gives back what was there.
// value: own, None afterwards if it was taken. Returns 0; -1 with TypeError if it does not fit.
int place_put(int32_t type_index, void *place, TVMFFIAny *value);

// The place of a handle in an object that holds one there, and owns it, as far as that can be told;
// NULL if it owns none. The handle itself may be NULL. A field whose getter is of compiled code owns what is
// both in its place and what the getter returns.
TVMFFIObject **place_held(const TVMFFIFieldInfo *field, TVMFFIObject *object);

// Where all objects of a type hold others, found out once: offsets of handles, and of values.
typedef struct PlaceLayout {
  struct PlaceLayout *older;  // of fewer fields; a reader may still be in it
  int64_t field_count;        // of the type and its ancestors
  bool is_known;              // false: it differs from object to object, or places overlap
  size_t handles, values;     // how many of each
  int64_t offsets[];          // of the handles first
} PlaceLayout;

// Returns the layout of a type; NULL if each object is to be asked field by field.
// Borrow: for the life of the process.
const PlaceLayout *place_layout(Type *type);

// A getter and a setter for fields of the runtime's own classes, whose places hold 32-bit integers.
int place_get_int32(void *field, TVMFFIAny *result);
int place_set_int32(void *field, const TVMFFIAny *value);

// ffi.MakeFieldGetter, ffi.MakeFieldSetter
NativeBody place_make_getter, place_make_setter;

#endif  // REFERENCE_SRC_FRONTEND_PLACE_H_
