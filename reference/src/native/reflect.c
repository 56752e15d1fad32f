// SPDX-License-Identifier: Apache-2.0
#include "native/reflect.h"

#include <string.h>

#include "container/sequence.h"
#include "core/any.h"
#include "core/bytes.h"
#include "core/raise.h"
#include "type/attribute.h"
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

static Attribute maker = {ATTRIBUTE("__ffi_new__")};

// What is to be made.
typedef struct {
  const NativeCall *call;
  const TVMFFITypeInfo *type;
} Reflect;

// Looks at a field. Returns 0 to go on.
typedef int ReflectVisit(const Reflect *reflect, const TVMFFIFieldInfo *field, void *state);

static int reflect_each_of(const Reflect *reflect, const TVMFFITypeInfo *type, ReflectVisit *visit,
                           void *state)
{
  int32_t count = __atomic_load_n(&type->num_fields, __ATOMIC_ACQUIRE);
  const TVMFFIFieldInfo *fields = __atomic_load_n(&type->fields, __ATOMIC_ACQUIRE);
  int code = 0;
  for (int32_t i = 0; i < count && code == 0; ++i) code = visit(reflect, &fields[i], state);
  return code;
}

// Visits all fields, those of the root first, until one returns something else than 0.
static int reflect_each(const Reflect *reflect, ReflectVisit *visit, void *state)
{
  int code = 0;
  for (int32_t i = 0; i < reflect->type->type_depth && code == 0; ++i) {
    code = reflect_each_of(reflect, reflect->type->type_ancestors[i], visit, state);
  }
  return code != 0 ? code : reflect_each_of(reflect, reflect->type, visit, state);
}

// Returns the value that the call has for a field; NULL if it has none.
static const TVMFFIAny *reflect_value(const NativeCall *call, const TVMFFIFieldInfo *field)
{
  for (int32_t i = 1; i < call->num_args; i += 2) {
    TVMFFIByteArray name = native_text(&call->args[i]);
    if (name.size == field->name.size &&
        (name.size == 0 || memcmp(name.data, field->name.data, name.size) == 0)) {
      return &call->args[i + 1];
    }
  }
  return NULL;
}

//--------------------------------------------------------------------------------------------------
// Checks, all of them before anything is made
//--------------------------------------------------------------------------------------------------

static int reflect_is_named(const Reflect *reflect, const TVMFFIFieldInfo *field, void *state)
{
  const TVMFFIByteArray *name = state;
  (void)reflect;
  return name->size == field->name.size &&
         (name->size == 0 || memcmp(name->data, field->name.data, name->size) == 0);
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
  if (reflect_each(reflect, reflect_is_named, &name) != 0) return 0;
  return raise_error("TypeError", call->spec->name, ": the type `",  // REG-22
                     raise_name(&reflect->type->type_key).text, "` has no field `",
                     raise_name(&name).text, "`", NULL);
}

static int reflect_check_field(const Reflect *reflect, const TVMFFIFieldInfo *field, void *state)
{
  (void)state;
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
  return reflect_each(reflect, reflect_check_field, NULL);
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

// Makes an object without content. Returns own; NULL with an error.
static TVMFFIObject *reflect_create(const Reflect *reflect)
{
  const TVMFFITypeMetadata *metadata = __atomic_load_n(&reflect->type->metadata, __ATOMIC_ACQUIRE);
  const TVMFFIAny *make = attribute_of(&maker, reflect->type->type_index);
  TVMFFIObjectHandle handle = NULL;
  if (metadata != NULL && metadata->creator != NULL) {
    if (metadata->creator(&handle) != 0) return NULL;
  } else if (make != NULL && make->type_index == kTVMFFIFunction) {
    TVMFFIAny made = any_none();
    if (TVMFFIFunctionCall(make->v_obj, NULL, 0, &made) != 0) return NULL;
    handle = any_held(&made);
  } else {
    raise_error("RuntimeError", reflect->call->spec->name, ": objects of type `",
                raise_name(&reflect->type->type_key).text, "` can't be made: it has no creator",
                NULL);
    return NULL;
  }
  if (handle == NULL) native_fail(reflect->call, "RuntimeError", "the creator made no object");
  return handle;
}

// Calls the setter of a field with a view.
static int reflect_call_setter(const TVMFFIFieldInfo *field, void *address, const TVMFFIAny *value)
{
  if (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    TVMFFIAny result = any_none(), args[] = {{.type_index = kTVMFFIOpaquePtr}, *value};
    args[0].v_ptr = address;
    int code = TVMFFIFunctionCall(field->setter, args, 2, &result);
    if (code == 0) any_release(&result);
    return code;
  }
  TVMFFIFieldSetter setter = NULL;
  memcpy(&setter, &field->setter, sizeof setter);
  return setter(address, value);
}

// Calls the setter with the default, or with what the factory of defaults makes.
static int reflect_set_default(const TVMFFIFieldInfo *field, void *address)
{
  const TVMFFIAny *standard = &field->default_value_or_factory;
  if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) ||
      standard->type_index != kTVMFFIFunction) {
    return reflect_call_setter(field, address, standard);  // REG-21
  }
  TVMFFIAny made = any_none();
  if (TVMFFIFunctionCall(standard->v_obj, NULL, 0, &made) != 0) return -1;
  int code = reflect_call_setter(field, address, &made);
  any_release(&made);
  return code;
}

static int reflect_set_field(const Reflect *reflect, const TVMFFIFieldInfo *field, void *object)
{
  const TVMFFIAny *given = reflect_value(reflect->call, field);
  void *address = (char *)object + field->offset;
  if (field->setter == NULL) return 0;
  if (given == NULL) {
    // A field without a default has been registered since the checks.
    if (!(field->flags & kTVMFFIFieldFlagBitMaskHasDefault)) return 0;
    return reflect_set_default(field, address);
  }
  if (given->type_index != kTVMFFIObjectRValueRef) {
    return reflect_call_setter(field, address, given);
  }
  TVMFFIAny moved;
  if (any_own(given, &moved) != 0) return -1;
  int code = reflect_call_setter(field, address, &moved);
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
  TVMFFIObject *object = reflect_create(&reflect);
  if (object == NULL) return -1;
  if (reflect_each(&reflect, reflect_set_field, object) != 0) {  // REG-20, REG-23
    object_release(object);
    return -1;
  }
  return native_give(call, any_object(object));
}
