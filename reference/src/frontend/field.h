// SPDX-License-Identifier: Apache-2.0
// The fields that types tell of, read and written as their getters and setters say.
#ifndef REFERENCE_SRC_FRONTEND_FIELD_H_
#define REFERENCE_SRC_FRONTEND_FIELD_H_

#include <tvm/ffi/c_api.h>

#include "core/any.h"

// A walk over all fields of a type, those of the root first (REG-20):
//
//   FieldWalk walk = {type};
//   for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) ...
typedef struct {
  const TVMFFITypeInfo *type;  // borrow
  int32_t depth, place;        // of the ancestor, and of the field in it
} FieldWalk;

// Returns the next field, NULL behind the last. Borrow: for the life of the process.
const TVMFFIFieldInfo *field_next(FieldWalk *walk);

// Returns the metadata of a type, NULL if it has none. Borrow: for the life of the process.
static inline const TVMFFITypeMetadata *field_metadata(const TVMFFITypeInfo *type)
{
  return __atomic_load_n(&type->metadata, __ATOMIC_ACQUIRE);
}

// Reads a field of an object. The getter writes where the value is to be: copying what was just
// written in parts makes processors wait.
// out: own; of no use on failure. Returns 0; -1 with an error.
int field_get(const TVMFFIFieldInfo *field, TVMFFIObject *object, TVMFFIAny *out);

// Writes a field of an object, which must have a setter.
// value: borrow; no rvalue reference. Returns 0; -1 with an error.
int field_set(const TVMFFIFieldInfo *field, TVMFFIObject *object, const TVMFFIAny *value);

// Gives a field its default, or what the factory of defaults makes. It must have both a default and
// a setter. Returns 0; -1 with an error.
int field_set_default(const TVMFFIFieldInfo *field, TVMFFIObject *object);

// Tells whether a type has a creator or `__ffi_new__`.
bool field_can_make(const TVMFFITypeInfo *type);

// Makes an object of a type by its creator or `__ffi_new__`, its fields still to be set.
// function: whose work this is, for the error. Returns own; NULL with an error.
TVMFFIObject *field_new_object(const char *function, const TVMFFITypeInfo *type);

// Tells whether a text is the name of a field.
bool field_is_named(const TVMFFIFieldInfo *field, TVMFFIByteArray name);

#endif  // REFERENCE_SRC_FRONTEND_FIELD_H_
