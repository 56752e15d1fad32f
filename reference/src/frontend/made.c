// SPDX-License-Identifier: Apache-2.0
#include "frontend/made.h"

#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/memory.h"
#include "core/nest.h"
#include "core/object.h"
#include "core/raise.h"
#include "frontend/field.h"
#include "frontend/init.h"
#include "frontend/place.h"
#include "type/type.h"

// What the functions of a class know.
typedef struct {
  Type *type;  // borrow
  size_t size;
  TVMFFIObjectCreator creator;  // NULL for objects with all fields zero
} MadeClass;

static void *made_at(TVMFFIObject *object, int64_t offset)
{
  return (char *)object + offset;
}

static void made_drop_places(const PlaceLayout *layout, TVMFFIObject *dead, Nest *nest)
{
  const int64_t *offsets = layout->offsets;
  for (size_t i = 0; i < layout->handles; ++i) {
    nest_drop(nest, *(TVMFFIObject **)made_at(dead, offsets[i]));
  }
  for (size_t i = 0; i < layout->values; ++i) {
    nest_drop_values(nest, made_at(dead, offsets[layout->handles + i]), 1);
  }
}

static void made_end(TVMFFIObject *dead, Nest *nest)
{
  Type *type = type_find(dead->type_index);
  if (type == NULL) return;
  const PlaceLayout *layout = place_layout(type);
  if (layout != NULL) {
    made_drop_places(layout, dead, nest);
    return;
  }
  FieldWalk walk = {.type = &type->info};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    TVMFFIObject **held = place_held(field, dead);
    if (held == NULL || *held == NULL) continue;
    TVMFFIObject *object = *held;
    *held = NULL;  // a field that shows the same place owns nothing more
    nest_drop(nest, object);
  }
}

NEST_START static void made_start(void)
{
  nest_set_end(kTVMFFIDynObjectBegin, made_end, 0);
}

TVMFFIObject *made_new(int32_t type_index, size_t size)
{
  TVMFFIObject *object = memory_zeroed(size);
  if (object == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  object_init(object, type_index, nest_delete);
  return object;
}

//--------------------------------------------------------------------------------------------------
// The functions of a class
//--------------------------------------------------------------------------------------------------

static int made_call_new(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const MadeClass *about = handle;
  (void)args;
  if (num_args != 0) {
    return raise_error("TypeError", raise_name(&about->type->info.type_key).text,
                       ".__ffi_new__: Expected no arguments", NULL);
  }
  if (result == NULL) return raise_null("__ffi_new__", "result");
  TVMFFIObjectHandle object = NULL;
  if (about->creator != NULL) {
    if (about->creator(&object) != 0) return -1;
  } else {
    object = made_new(about->type->info.type_index, about->size);
    if (object == NULL) return -1;
  }
  *result = any_object(object);
  return 0;
}

// Two fields may show one place, whose reference is counted once.
static void made_share_fields(const TVMFFITypeInfo *type, TVMFFIObject *from, TVMFFIObject *copy)
{
  FieldWalk walk = {.type = type};
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    TVMFFIObject **held = place_held(field, from);
    if (held == NULL || *held == NULL) continue;
    TVMFFIObject **place = (TVMFFIObject **)((char *)copy + ((char *)held - (char *)from));
    if (*place != NULL) continue;
    *place = *held;
    object_retain(*held);
  }
}

static void made_share_places(const PlaceLayout *layout, TVMFFIObject *object)
{
  const int64_t *offsets = layout->offsets;
  for (size_t i = 0; i < layout->handles; ++i) {
    TVMFFIObject *held = *(TVMFFIObject **)made_at(object, offsets[i]);
    if (held != NULL) object_retain(held);
  }
  for (size_t i = 0; i < layout->values; ++i) {
    any_share(made_at(object, offsets[layout->handles + i]));
  }
}

static TVMFFIObject *made_copy_places(const MadeClass *about, const PlaceLayout *layout,
                                      TVMFFIObject *from)
{
  TVMFFIObject *copy = malloc(about->size);
  if (copy == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  object_init(copy, about->type->info.type_index, nest_delete);
  memcpy(copy + 1, from + 1, about->size - sizeof *copy);
  made_share_places(layout, copy);
  return copy;
}

static TVMFFIObject *made_copy(const MadeClass *about, TVMFFIObject *from)
{
  const PlaceLayout *layout = place_layout(about->type);
  if (layout != NULL) return made_copy_places(about, layout, from);
  TVMFFIObject *copy = made_new(about->type->info.type_index, about->size);
  if (copy == NULL) return NULL;
  made_share_fields(&about->type->info, from, copy);
  // The references are counted: now all bytes may be what they are in the original.
  memcpy(copy + 1, from + 1, about->size - sizeof *copy);
  return copy;
}

static int made_call_copy(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const MadeClass *about = handle;
  if (num_args != 1 || args == NULL || !native_is_object(&args[0], about->type->info.type_index)) {
    return raise_error("TypeError", raise_name(&about->type->info.type_key).text,
                       ".__ffi_shallow_copy__: Expected an object of this type", NULL);
  }
  if (result == NULL) return raise_null("__ffi_shallow_copy__", "result");
  TVMFFIObject *copy = made_copy(about, args[0].v_obj);
  if (copy == NULL) return -1;
  *result = any_object(copy);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Registration
//--------------------------------------------------------------------------------------------------

static int made_give(const MadeClass *about, const char *name, TVMFFISafeCallType call)
{
  TVMFFIByteArray attribute = {name, strlen(name)};
  TVMFFIObjectHandle function;
  MadeClass *own = malloc(sizeof *own);
  if (own == NULL) return raise_out_of_memory();
  *own = *about;
  if (TVMFFIFunctionCreate(own, call, free, &function) != 0) {
    free(own);
    return -1;
  }
  TVMFFIAny value = any_object(function);
  int code = TVMFFITypeRegisterAttr(about->type->info.type_index, &attribute, &value);
  object_release(function);
  return code;
}

// Every field must lie within the object, behind its header.
static int made_check(const char *function, const TVMFFITypeInfo *type, int64_t size)
{
  FieldWalk walk = {.type = type};
  int64_t end = sizeof(TVMFFIObject);
  for (const TVMFFIFieldInfo *field; (field = field_next(&walk)) != NULL;) {
    bool inside = field->offset >= (int64_t)sizeof(TVMFFIObject) && field->size >= 0 &&
                  field->offset <= size && field->size <= size - field->offset;
    if (!inside) {
      return raise_error("ValueError", function, ": the field `", raise_name(&field->name).text,
                         "` of `", raise_name(&type->type_key).text, "` lies outside of ",
                         raise_number(size).text, " bytes", NULL);
    }
  }
  if (size >= end) return 0;
  return raise_error("ValueError", function, ": an object has no less than ",
                     raise_number(end).text, " bytes, not ", raise_number(size).text, NULL);
}

int made_give_attributes(const char *function, int32_t type_index, int64_t size,
                         TVMFFIObjectCreator creator)
{
  Type *type = type_find(type_index);
  if (type == NULL) return raise_no_type(function, "type_index", type_index);
  if (made_check(function, &type->info, size) != 0) return -1;
  MadeClass about = {type, (size_t)size, creator};
  if (made_give(&about, "__ffi_new__", made_call_new) != 0) return -1;
  return made_give(&about, "__ffi_shallow_copy__", made_call_copy);
}

int made_register(const NativeCall *call)
{
  int64_t type_index = call->args[0].v_int64;
  if (type_index != (int32_t)type_index) {
    return raise_no_type(call->spec->name, "type_index", -1);
  }
  if (made_give_attributes(call->spec->name, (int32_t)type_index, call->args[1].v_int64, NULL) !=
      0) {
    return -1;
  }
  if (init_give_attribute(call->spec->name, (int32_t)type_index) != 0) return -1;
  return native_give(call, any_none());
}
