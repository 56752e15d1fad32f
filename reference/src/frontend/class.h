// SPDX-License-Identifier: Apache-2.0
// Classes of the runtime's own whose fields are reflected. A file describes its class in a table
// and enters it when the library is loaded, in a CLASS_START function.
#ifndef REFERENCE_SRC_FRONTEND_CLASS_H_
#define REFERENCE_SRC_FRONTEND_CLASS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

#include "native/native.h"

// The schema of a type as it stands in metadata: CLASS_SCHEMA("{\\\"type\\\":\\\"int\\\"}")
#define CLASS_SCHEMA(text) "{\"type_schema\":\"" text "\"}"
#define CLASS_TYPE(name) "{\\\"type\\\":\\\"" name "\\\"}"
#define CLASS_TYPE_OF(name, args) "{\\\"type\\\":\\\"" name "\\\",\\\"args\\\":[" args "]}"

typedef struct {
  const char *name;
  const char *metadata;
  const char *doc;
  int64_t flags;
  size_t size, offset;
  int32_t declared;          // the type index that the description tells
  TVMFFIFieldGetter getter;  // NULL for that of the place
  TVMFFIFieldSetter setter;  // NULL for one that takes what the place holds
} ClassField;

typedef struct {
  int32_t type_index;  // of a type that is there from the start
  size_t size;         // of an object
  TVMFFISEqHashKind kind;
  TVMFFIObjectCreator creator;  // NULL if only the runtime makes objects
  const ClassField *fields;
  size_t field_count;
} Class;

// Runs when the library is loaded, before any code that could use it.
#define CLASS_START __attribute__((constructor(103)))

// Tells of a class: its fields, its metadata and, if it has a creator, the functions that make and
// copy objects. Without memory a part of it is missing.
void class_enter(const Class *described);

// Gives a type a method, whose name is what stands behind the last point in the function's.
// spec: borrow, for the life of the process. function: zero.
void class_enter_method(int32_t type_index, const NativeSpec *spec, NativeFunction *function,
                        bool is_static);

// Gives a type an attribute that has the function's name.
void class_enter_attribute(int32_t type_index, const NativeSpec *spec, NativeFunction *function);

// Setters for handles of arrays' and dicts' own types.
int class_set_list(void *field, const TVMFFIAny *value);
int class_set_dict(void *field, const TVMFFIAny *value);

#endif  // REFERENCE_SRC_FRONTEND_CLASS_H_
