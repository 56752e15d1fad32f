// SPDX-License-Identifier: Apache-2.0
// Enumerations: values of which there is one object each, known by an integer and a string. What a
// type has of them stands in its attribute `__ffi_enum__`, which frontends and compiled code fill.
#include <stdbool.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/raise.h"
#include "frontend/class.h"
#include "frontend/made.h"
#include "native/native.h"
#include "native/rows.h"
#include "type/type.h"

// What compiled code reads and writes in place.
typedef struct {
  TVMFFIObject header;
  TVMFFIObject *entries;  // own: a List
  TVMFFIObject *indexes;  // own: a Dict
  TVMFFIObject *attrs;    // own: a Dict
} EnumState;

typedef struct {
  TVMFFIObject header;
  int64_t number;
  TVMFFIAny name;  // own
} EnumObject;

static TVMFFIObject *enum_fill(EnumState *state)
{
  MapObject *indexes = map_new(kTVMFFIDict, 0), *attrs = map_new(kTVMFFIDict, 0);
  state->entries = sequence_new(kTVMFFIList, 0);
  state->indexes = indexes == NULL ? NULL : &indexes->header;
  state->attrs = attrs == NULL ? NULL : &attrs->header;
  if (state->entries != NULL && state->indexes != NULL && state->attrs != NULL) {
    return &state->header;
  }
  object_release(&state->header);
  raise_out_of_memory();
  return NULL;
}

static int enum_new_state(TVMFFIObjectHandle *result)
{
  TVMFFIObject *object = made_new(TYPE_ENUM_STATE, sizeof(EnumState));
  if (object != NULL) object = enum_fill((EnumState *)object);
  if (object == NULL) return -1;
  *result = object;
  return 0;
}

static int enum_new_of(int32_t type_index, TVMFFIObjectHandle *result)
{
  EnumObject *object = (EnumObject *)made_new(type_index, sizeof *object);
  if (object == NULL) return -1;
  object->name.type_index = kTVMFFISmallStr;
  *result = object;
  return 0;
}

static int enum_new(TVMFFIObjectHandle *result)
{
  return enum_new_of(TYPE_ENUM, result);
}

static int enum_new_int(TVMFFIObjectHandle *result)
{
  return enum_new_of(TYPE_INT_ENUM, result);
}

static int enum_new_str(TVMFFIObjectHandle *result)
{
  return enum_new_of(TYPE_STR_ENUM, result);
}

static int enum_set_name(void *field, const TVMFFIAny *value)
{
  TVMFFIAny owned, *place = field;
  if (field == NULL) return raise_null("setter", "field");
  if (value == NULL) return raise_null("setter", "value");
  if (!native_is_string(value)) {
    return raise_wrong_type("setter", "value", "a str", value->type_index);
  }
  if (any_own(value, &owned) != 0) return -1;
  TVMFFIAny old = *place;
  *place = owned;
  any_release(&old);
  return 0;
}

#define STR_TYPE CLASS_TYPE("ffi.String")
#define OBJECT_TYPE CLASS_TYPE("ffi.Object")
#define ANY_TYPE CLASS_TYPE("Any")

static const ClassField state_fields[] = {
    {.name = "entries",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("ffi.List", OBJECT_TYPE)),
     .doc = "The objects, in the order of registration.",
     .flags = kTVMFFIFieldFlagBitMaskInitOff,
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(EnumState, entries),
     .declared = kTVMFFIList,
     .setter = class_set_list},
    {.name = "indexes",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("ffi.Dict", ANY_TYPE "," OBJECT_TYPE)),
     .doc = "The object of each integer and of each string.",
     .flags = kTVMFFIFieldFlagBitMaskInitOff,
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(EnumState, indexes),
     .declared = kTVMFFIDict,
     .setter = class_set_dict},
    {.name = "attrs",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF(
         "ffi.Dict", STR_TYPE "," CLASS_TYPE_OF("ffi.Dict", OBJECT_TYPE "," ANY_TYPE))),
     .doc = "By name, what objects have as further attributes.",
     .flags = kTVMFFIFieldFlagBitMaskInitOff,
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(EnumState, attrs),
     .declared = kTVMFFIDict,
     .setter = class_set_dict},
};

#define NUMBER(field_name, field_flags)                                                       \
  {                                                                                           \
    .name = (field_name), .metadata = CLASS_SCHEMA(CLASS_TYPE("int")), .doc = "The integer.", \
    .flags = (field_flags), .size = sizeof(int64_t), .offset = offsetof(EnumObject, number),  \
    .declared = kTVMFFIInt,                                                                   \
  }
#define NAME(field_name, field_flags)                                                        \
  {                                                                                          \
    .name = (field_name), .metadata = CLASS_SCHEMA(STR_TYPE), .doc = "The string.",          \
    .flags = (field_flags), .size = sizeof(TVMFFIAny), .offset = offsetof(EnumObject, name), \
    .declared = kTVMFFIAny, .setter = enum_set_name,                                         \
  }
enum { VALUE_FLAGS = kTVMFFIFieldFlagBitMaskSEqHashIgnore | kTVMFFIFieldFlagBitMaskInitOff };

static const ClassField enum_fields[] = {
    NUMBER("_int_index", kTVMFFIFieldFlagBitMaskSEqHashIgnore),
    NAME("_str_index", 0),
};
static const ClassField int_fields[] = {NUMBER("value", VALUE_FLAGS)};
static const ClassField str_fields[] = {NAME("value", VALUE_FLAGS)};

#define FIELDS(array) .fields = (array), .field_count = sizeof(array) / sizeof *(array)
#define ENUM(index, make)                                               \
  .type_index = (index), .size = sizeof(EnumObject), .creator = (make), \
  .kind = kTVMFFISEqHashKindUniqueInstance
static const Class classes[] = {
    {.type_index = TYPE_ENUM_STATE,
     .size = sizeof(EnumState),
     .creator = enum_new_state,
     FIELDS(state_fields)},
    {ENUM(TYPE_ENUM, enum_new), FIELDS(enum_fields)},
    {ENUM(TYPE_INT_ENUM, enum_new_int), FIELDS(int_fields)},
    {ENUM(TYPE_STR_ENUM, enum_new_str), FIELDS(str_fields)},
};

//--------------------------------------------------------------------------------------------------
// The constructor of a state
//--------------------------------------------------------------------------------------------------

static int enum_make_state(const NativeCall *call)
{
  TVMFFIObjectHandle made;
  if (enum_new_state(&made) != 0) return -1;
  return native_give(call, any_object(made));
}

CLASS_START static void enum_start(void)
{
  static const NativeSpec spec = {F0("ffi.EnumState.__ffi_init__", enum_make_state, OBJECT)};
  static NativeFunction init;
  const TVMFFIByteArray name = {"__ffi_init__", sizeof "__ffi_init__" - 1};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) class_enter(&classes[i]);
  native_init(&init, &spec);
  TVMFFIAny value = any_object(&init.header);
  TVMFFITypeRegisterAttr(TYPE_ENUM_STATE, &name, &value);
}
