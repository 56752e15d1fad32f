// SPDX-License-Identifier: Apache-2.0
#include "frontend/reflect.h"

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "frontend/field.h"
#include "type/type.h"

//--------------------------------------------------------------------------------------------------
// The keys of all types
//--------------------------------------------------------------------------------------------------

int reflect_type_keys(const NativeCall *call)
{
  int64_t count = 0;
  for (const TVMFFITypeInfo *type = type_next(-1); type != NULL;
       type = type_next(type->type_index)) {
    ++count;
  }
  TVMFFIObject *keys = sequence_new(kTVMFFIArray, count);
  if (keys == NULL) return raise_out_of_memory();
  for (const TVMFFITypeInfo *type = type_next(-1); type != NULL && count > 0; --count) {
    TVMFFIAny key;
    if (bytes_make_string(type->type_key.data, type->type_key.size, &key) != 0) {
      object_release(keys);
      return -1;
    }
    sequence_append(keys, key);  // REG-16, REG-17
    type = type_next(type->type_index);
  }
  return native_give(call, any_object(keys));
}

//--------------------------------------------------------------------------------------------------
// An object and its fields
//--------------------------------------------------------------------------------------------------

// What is to be made.
typedef struct {
  const NativeCall *call;
  const TVMFFITypeInfo *type;
} Reflect;

// Returns the value that the call has for a field; NULL if it has none.
static const TVMFFIAny *reflect_value(const NativeCall *call, const TVMFFIFieldInfo *field)
{
  for (int32_t i = 1; i < call->num_args; i += 2) {
    if (field_is_named(field, native_text(&call->args[i]))) return &call->args[i + 1];
  }
  return NULL;
}

//--------------------------------------------------------------------------------------------------
// Checks, all of them before anything is made
//--------------------------------------------------------------------------------------------------

static bool reflect_has_field(const Reflect *reflect, TVMFFIByteArray name)
{
  FieldWalk walk = {.type = reflect->type};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    if (field_is_named(field, name)) return true;
  }
  return false;
}

static int reflect_check_name(const Reflect *reflect, int32_t place)
{
  const NativeCall *call = reflect->call;
  int32_t type_index = call->args[place].type_index;
  if (!native_is_string(&call->args[place])) {
    return raise_error("TypeError", call->spec->name, ": argument #", raise_number(place).text,
                       ": Expected `str`, the name of a field, but got type index ",
                       raise_number(type_index).text, NULL);
  }
  TVMFFIByteArray name = native_text(&call->args[place]);
  if (reflect_has_field(reflect, name)) return 0;
  return raise_error("TypeError", call->spec->name, ": the type `",  // REG-22
                     raise_name(&reflect->type->type_key).text, "` has no field `",
                     raise_name(&name).text, "`", NULL);
}

static int reflect_check_field(const Reflect *reflect, const TVMFFIFieldInfo *field)
{
  bool is_given = reflect_value(reflect->call, field) != NULL;
  if (is_given && field->setter == NULL) {
    return raise_error("TypeError", reflect->call->spec->name, ": the field `",
                       raise_name(&field->name).text, "` can't be set", NULL);
  }
  if (is_given || (field->flags & kTVMFFIFieldFlagBitMaskHasDefault)) return 0;
  return raise_error("TypeError", reflect->call->spec->name, ": the field `",  // REG-22
                     raise_name(&field->name).text, "` of `",
                     raise_name(&reflect->type->type_key).text, "` has no value", NULL);
}

static int reflect_check(const Reflect *reflect)
{
  for (int32_t i = 1; i < reflect->call->num_args; i += 2) {
    if (reflect_check_name(reflect, i) != 0) return -1;
  }
  FieldWalk walk = {.type = reflect->type};
  int code = 0;
  for (const TVMFFIFieldInfo *field; code == 0 && (field = field_next(&walk)) != NULL;) {
    code = reflect_check_field(reflect, field);
  }
  return code;
}

//--------------------------------------------------------------------------------------------------
// Making
//--------------------------------------------------------------------------------------------------

// Finds the type that the first argument names. NULL with an error.
static const TVMFFITypeInfo *reflect_find_type(const NativeCall *call)
{
  const TVMFFIAny *which = &call->args[0];
  TVMFFIByteArray key = {"", 0};
  const Type *type;
  switch (which->type_index) {
    case kTVMFFIInt:
    case kTVMFFIBool:
      type = which->v_int64 == (int32_t)which->v_int64 ? type_find((int32_t)which->v_int64) : NULL;
      break;
    default:
      if (!native_is_string(which)) {
        native_fail(call, "TypeError", "argument #0: Expected an int or a str that names a type");
        return NULL;
      }
      key = native_text(which);
      type = type_find_key(key.data, key.size);
      break;
  }
  if (type != NULL) return &type->info;
  raise_error("InternalError", call->spec->name, ": there is no type `",  // REG-22
              key.size != 0 ? raise_name(&key).text : raise_number(which->v_int64).text, "`", NULL);
  return NULL;
}

static int reflect_set_field(const Reflect *reflect, const TVMFFIFieldInfo *field,
                             TVMFFIObject *object)
{
  const TVMFFIAny *given = reflect_value(reflect->call, field);
  if (field->setter == NULL) return 0;
  if (given == NULL) {
    // A field without a default has been registered since the checks.
    if (!(field->flags & kTVMFFIFieldFlagBitMaskHasDefault)) return 0;
    return field_set_default(field, object);
  }
  if (given->type_index != kTVMFFIObjectRValueRef) {
    return field_set(field, object, given);
  }
  TVMFFIAny moved;
  if (any_own(given, &moved) != 0) return -1;
  int code = field_set(field, object, &moved);
  any_release(&moved);
  return code;
}

int reflect_make_object(const NativeCall *call)
{
  if (call->num_args % 2 == 0) {  // REG-22
    return native_fail(call, "InternalError", "Expected a type, and then names each with a value");
  }
  Reflect reflect = {call, reflect_find_type(call)};
  if (reflect.type == NULL || reflect_check(&reflect) != 0) return -1;
  TVMFFIObject *object = field_new_object(call->spec->name, reflect.type);
  if (object == NULL) return -1;
  FieldWalk walk = {.type = reflect.type};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    if (reflect_set_field(&reflect, field, object) == 0) continue;  // REG-20, REG-23
    object_release(object);
    return -1;
  }
  return native_give(call, any_object(object));
}
