// SPDX-License-Identifier: Apache-2.0
#include "frontend/class.h"

#include <string.h>

#include "core/any.h"
#include "core/raise.h"
#include "frontend/made.h"
#include "frontend/place.h"
#include "native/native_schema.h"

//--------------------------------------------------------------------------------------------------
// Setters
//--------------------------------------------------------------------------------------------------

static int class_set(int32_t type_index, void *field, const TVMFFIAny *value)
{
  TVMFFIAny owned;
  if (field == NULL) return raise_null("setter", "field");
  if (value == NULL) return raise_null("setter", "value");
  if (any_own(value, &owned) != 0) return -1;
  int code = place_put(type_index, field, &owned);
  any_release(&owned);
  return code;
}

static int class_set_any(void *field, const TVMFFIAny *value)
{
  return class_set(kTVMFFIAny, field, value);
}

static int class_set_int(void *field, const TVMFFIAny *value)
{
  return class_set(kTVMFFIInt, field, value);
}

static int class_set_object(void *field, const TVMFFIAny *value)
{
  return class_set(kTVMFFIObject, field, value);
}

static int class_set_exactly(int32_t type_index, const char *due, void *field,
                             const TVMFFIAny *value)
{
  if (value != NULL && value->type_index != type_index) {
    return raise_wrong_type("setter", "value", due, value->type_index);
  }
  return class_set(type_index, field, value);
}

int class_set_list(void *field, const TVMFFIAny *value)
{
  return class_set_exactly(kTVMFFIList, "a List", field, value);
}

int class_set_dict(void *field, const TVMFFIAny *value)
{
  return class_set_exactly(kTVMFFIDict, "a Dict", field, value);
}

// The place of a field follows from its size and what it declares.
static int32_t class_place(const ClassField *field)
{
  if (field->size == sizeof(TVMFFIAny)) return kTVMFFIAny;
  return field->declared == kTVMFFIInt ? kTVMFFIInt : kTVMFFIObject;
}

static TVMFFIFieldSetter class_setter(int32_t place)
{
  if (place == kTVMFFIAny) return class_set_any;
  return place == kTVMFFIInt ? class_set_int : class_set_object;
}

//--------------------------------------------------------------------------------------------------
// Entering
//--------------------------------------------------------------------------------------------------

static TVMFFIByteArray class_text(const char *text)
{
  return text == NULL ? (TVMFFIByteArray){"", 0} : (TVMFFIByteArray){text, strlen(text)};
}

static void class_enter_field(int32_t type_index, const ClassField *field)
{
  int32_t place = class_place(field);
  TVMFFIFieldSetter setter = field->setter != NULL ? field->setter : class_setter(place);
  TVMFFIFieldInfo info = {
      .name = class_text(field->name),
      .doc = class_text(field->doc),
      .metadata = class_text(field->metadata),
      .flags = field->flags,
      .size = (int64_t)field->size,
      .alignment = field->size < sizeof(void *) ? (int64_t)field->size : (int64_t)sizeof(void *),
      .offset = (int64_t)field->offset,
      .getter = field->getter != NULL ? field->getter : place_getter(place),
      .field_static_type_index = field->declared,
  };
  memcpy(&info.setter, &setter, sizeof setter);
  TVMFFITypeRegisterField(type_index, &info);
}

void class_enter(const Class *described)
{
  for (size_t i = 0; i < described->field_count; ++i) {
    class_enter_field(described->type_index, &described->fields[i]);
  }
  TVMFFITypeMetadata metadata = {
      .creator = described->creator,
      .total_size = (int32_t)described->size,
      .structural_eq_hash_kind = described->kind,
  };
  TVMFFITypeRegisterMetadata(described->type_index, &metadata);
  if (described->creator != NULL) {
    made_give_attributes("class", described->type_index, (int64_t)described->size,
                         described->creator);
  }
}

void class_enter_method(int32_t type_index, const NativeSpec *spec, NativeFunction *function,
                        bool is_static)
{
  char metadata[NATIVE_SCHEMA_ROOM];
  native_init(function, spec);
  TVMFFIMethodInfo info = {
      .name = class_text(strrchr(spec->name, '.') + 1),
      .metadata = {metadata, native_schema_write(spec, metadata, sizeof metadata)},
      .flags = is_static ? kTVMFFIFieldFlagBitMaskIsStaticMethod : 0,
      .method = any_object(&function->header),
  };
  TVMFFITypeRegisterMethod(type_index, &info);
}

void class_enter_attribute(int32_t type_index, const NativeSpec *spec, NativeFunction *function)
{
  native_init(function, spec);
  const TVMFFIByteArray name = class_text(spec->name);
  TVMFFIAny value = any_object(&function->header);
  TVMFFITypeRegisterAttr(type_index, &name, &value);
}
