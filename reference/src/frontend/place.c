// SPDX-License-Identifier: Apache-2.0
#include "frontend/place.h"

#include <stdlib.h>
#include <string.h>

#include "core/function.h"
#include "core/object.h"
#include "core/raise.h"
#include "frontend/field.h"

//--------------------------------------------------------------------------------------------------
// Getters
//--------------------------------------------------------------------------------------------------

static int place_get_any(void *field, TVMFFIAny *result)
{
  *result = any_share(field);
  return 0;
}

static int place_get_int(void *field, TVMFFIAny *result)
{
  *result = any_int(*(int64_t *)field);
  return 0;
}

int place_get_int32(void *field, TVMFFIAny *result)
{
  *result = any_int(*(int32_t *)field);
  return 0;
}

static int place_get_bool(void *field, TVMFFIAny *result)
{
  *result = any_bool(*(unsigned char *)field != 0);
  return 0;
}

static int place_get_float(void *field, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = *(double *)field};
  return 0;
}

static int place_get_pointer(void *field, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr};
  result->v_ptr = *(void **)field;
  return 0;
}

static int place_get_dtype(void *field, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIDataType};
  result->v_dtype = *(DLDataType *)field;
  return 0;
}

static int place_get_device(void *field, TVMFFIAny *result)
{
  *result = (TVMFFIAny){.type_index = kTVMFFIDevice};
  result->v_device = *(DLDevice *)field;
  return 0;
}

static int place_get_object(void *field, TVMFFIAny *result)
{
  TVMFFIObject *object = *(TVMFFIObject **)field;
  if (object != NULL) object_retain(object);
  *result = object == NULL ? any_none() : any_object(object);
  return 0;
}

TVMFFIFieldGetter place_getter(int32_t type_index)
{
  switch (type_index) {
    case kTVMFFIAny:
    case kTVMFFINone:
      return place_get_any;
    case kTVMFFIInt:
      return place_get_int;
    case kTVMFFIBool:
      return place_get_bool;
    case kTVMFFIFloat:
      return place_get_float;
    case kTVMFFIOpaquePtr:
      return place_get_pointer;
    case kTVMFFIDataType:
      return place_get_dtype;
    case kTVMFFIDevice:
      return place_get_device;
    default:
      return type_index >= kTVMFFIStaticObjectBegin ? place_get_object : NULL;
  }
}

//--------------------------------------------------------------------------------------------------
// Putting values
//--------------------------------------------------------------------------------------------------

static int place_refuse(const char *due, const TVMFFIAny *value)
{
  return raise_wrong_type("setter", "value", due, value->type_index);
}

static int place_put_object(TVMFFIObject **place, TVMFFIAny *value)
{
  TVMFFIObject *old = *place;
  if (value->type_index != kTVMFFINone && any_held(value) == NULL) {
    return place_refuse("an object or None", value);
  }
  *place = any_held(value);
  *value = any_none();
  if (old != NULL) object_release(old);
  return 0;
}

int place_set_int32(void *field, const TVMFFIAny *value)
{
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) {
    return place_refuse("an int", value);
  }
  if (value->v_int64 != (int32_t)value->v_int64) {
    return raise_error("ValueError", "setter: ", raise_number(value->v_int64).text,
                       " does not fit into 32 bits", NULL);
  }
  *(int32_t *)field = (int32_t)value->v_int64;
  return 0;
}

int place_put(int32_t type_index, void *place, TVMFFIAny *value)
{
  int32_t given = value->type_index;
  switch (type_index) {
    case kTVMFFIAny:
    case kTVMFFINone: {
      TVMFFIAny old = *(TVMFFIAny *)place;
      *(TVMFFIAny *)place = *value;
      *value = any_none();
      any_release(&old);
      return 0;
    }
    case kTVMFFIInt:
      if (given != kTVMFFIInt && given != kTVMFFIBool) return place_refuse("an int", value);
      *(int64_t *)place = value->v_int64;
      return 0;
    case kTVMFFIBool:
      if (given != kTVMFFIInt && given != kTVMFFIBool) return place_refuse("a bool", value);
      *(unsigned char *)place = value->v_int64 != 0;
      return 0;
    case kTVMFFIFloat:
      if (given == kTVMFFIFloat) {
        *(double *)place = value->v_float64;
        return 0;
      }
      if (given != kTVMFFIInt && given != kTVMFFIBool) return place_refuse("a float", value);
      *(double *)place = (double)value->v_int64;
      return 0;
    case kTVMFFIOpaquePtr:
      if (given != kTVMFFIOpaquePtr && given != kTVMFFINone) {
        return place_refuse("a pointer or None", value);
      }
      *(void **)place = given == kTVMFFINone ? NULL : value->v_ptr;
      return 0;
    case kTVMFFIDataType:
      if (given != kTVMFFIDataType) return place_refuse("a data type", value);
      *(DLDataType *)place = value->v_dtype;
      return 0;
    case kTVMFFIDevice:
      if (given != kTVMFFIDevice) return place_refuse("a device", value);
      *(DLDevice *)place = value->v_device;
      return 0;
    default:
      return place_put_object(place, value);
  }
}

//--------------------------------------------------------------------------------------------------
// What an object owns
//--------------------------------------------------------------------------------------------------

static TVMFFIObject **place_held_any(TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin ? &value->v_obj : NULL;
}

// A field of compiled code may have any layout: a C++ `std::optional` declares no type index, just
// as a value of any type does.
static TVMFFIObject **place_held_foreign(const TVMFFIFieldInfo *field, void *place)
{
  TVMFFIAny value = any_none();
  TVMFFIObject **held = NULL;
  if (field->getter == NULL || field->getter(place, &value) != 0) return NULL;
  if (field->size == (int64_t)sizeof(TVMFFIAny) && any_same(place, &value)) {
    held = place_held_any(place);
  } else if (field->size == (int64_t)sizeof(void *) && any_held(&value) != NULL &&
             *(TVMFFIObject **)place == value.v_obj) {
    held = place;
  }
  any_release(&value);
  return held;
}

typedef enum { PLACE_NOTHING, PLACE_HANDLE, PLACE_VALUE, PLACE_FOREIGN } PlaceKind;

static PlaceKind place_kind(const TVMFFIFieldInfo *field)
{
  if (field->getter == place_get_any) return PLACE_VALUE;
  if (field->getter == place_get_object) return PLACE_HANDLE;
  if (field->getter == place_get_int || field->getter == place_get_float ||
      field->getter == place_get_bool || field->getter == place_get_pointer ||
      field->getter == place_get_dtype || field->getter == place_get_device ||
      field->getter == place_get_int32) {
    return PLACE_NOTHING;
  }
  return PLACE_FOREIGN;
}

TVMFFIObject **place_held(const TVMFFIFieldInfo *field, TVMFFIObject *object)
{
  void *place = (char *)object + field->offset;
  switch (place_kind(field)) {
    case PLACE_HANDLE:
      return place;
    case PLACE_VALUE:
      return place_held_any(place);
    case PLACE_FOREIGN:
      return place_held_foreign(field, place);
    default:
      return NULL;
  }
}

//--------------------------------------------------------------------------------------------------
// The layout of a type
//--------------------------------------------------------------------------------------------------

// Returns how many fields a type and its ancestors have. There will never be fewer.
static int64_t place_count_fields(const TVMFFITypeInfo *type)
{
  int64_t count = __atomic_load_n(&type->num_fields, __ATOMIC_ACQUIRE);
  for (int32_t i = 0; i < type->type_depth; ++i) {
    count += __atomic_load_n(&type->type_ancestors[i]->num_fields, __ATOMIC_ACQUIRE);
  }
  return count;
}

__attribute__((cold)) static bool place_overlaps(const PlaceLayout *layout, int64_t offset,
                                                 int64_t size)
{
  for (size_t i = 0; i < layout->handles + layout->values; ++i) {
    int64_t other = layout->offsets[i];
    int64_t other_size = i < layout->handles ? sizeof(TVMFFIObject *) : sizeof(TVMFFIAny);
    if (offset < other + other_size && other < offset + size) return true;
  }
  return false;
}

// Adds all fields of one kind. Returns false if objects must be asked one by one.
__attribute__((cold)) static bool place_add_fields(PlaceLayout *layout, const TVMFFITypeInfo *type,
                                                   PlaceKind wanted)
{
  FieldWalk walk = {.type = type};
  int64_t left = layout->field_count;  // more may be registered meanwhile
  for (const TVMFFIFieldInfo *field; left > 0 && (field = field_next(&walk)) != NULL; --left) {
    PlaceKind kind = place_kind(field);
    if (kind == PLACE_FOREIGN) return false;
    if (kind != wanted) continue;
    bool is_handle = kind == PLACE_HANDLE;
    int64_t size = is_handle ? sizeof(TVMFFIObject *) : sizeof(TVMFFIAny);
    if (place_overlaps(layout, field->offset, size)) return false;
    layout->offsets[layout->handles + layout->values] = field->offset;
    ++*(is_handle ? &layout->handles : &layout->values);
  }
  return left == 0;
}

__attribute__((cold)) static PlaceLayout *place_new_layout(const TVMFFITypeInfo *type,
                                                           int64_t field_count)
{
  PlaceLayout *layout = malloc(sizeof *layout + (size_t)field_count * sizeof *layout->offsets);
  if (layout == NULL) return NULL;
  *layout = (PlaceLayout){.field_count = field_count};
  layout->is_known =
      place_add_fields(layout, type, PLACE_HANDLE) && place_add_fields(layout, type, PLACE_VALUE);
  return layout;
}

__attribute__((cold, noinline)) static PlaceLayout *place_renew_layout(Type *type,
                                                                       int64_t field_count)
{
  PlaceLayout *layout = place_new_layout(&type->info, field_count);
  if (layout == NULL) return NULL;
  void *before = atomic_load_explicit(&type->layout, memory_order_acquire);
  layout->older = before;
  if (!atomic_compare_exchange_strong(&type->layout, &before, layout)) {
    free(layout);  // another thread was faster; what it found serves the next call
    return NULL;
  }
  return layout;
}

const PlaceLayout *place_layout(Type *type)
{
  int64_t field_count = place_count_fields(&type->info);
  PlaceLayout *layout = atomic_load_explicit(&type->layout, memory_order_acquire);
  if (layout == NULL || layout->field_count != field_count) {
    layout = place_renew_layout(type, field_count);
  }
  return layout != NULL && layout->is_known ? layout : NULL;
}

//--------------------------------------------------------------------------------------------------
// Getters and setters for frontends
//--------------------------------------------------------------------------------------------------

// Makes of a value what the field holds.
// out: own, written on success. Returns 0; -1 with an error.
typedef int PlaceConvert(void *converter, const TVMFFIAny *value, TVMFFIAny *out);

typedef struct {
  FunctionObject function;
  int32_t type_index;
  void *converter;  // borrow: the frontend's, for as long as the field is
  PlaceConvert *convert;
} PlaceSetter;

_Static_assert(sizeof(PlaceSetter) <= FUNCTION_SIZE, "a setter is all that the function holds");

int place_make_getter(const NativeCall *call)
{
  int64_t type_index = call->args[0].v_int64;
  TVMFFIFieldGetter getter =
      type_index == (int32_t)type_index ? place_getter((int32_t)type_index) : NULL;
  intptr_t address = 0;
  if (getter == NULL) {
    return raise_error("ValueError", call->spec->name, ": no field has the type index ",
                       raise_number(type_index).text, NULL);
  }
  memcpy(&address, &getter, sizeof address);
  return native_give(call, any_int(address));
}

static int place_set(const PlaceSetter *setter, void *place, const TVMFFIAny *value)
{
  TVMFFIAny converted = any_none();
  int code = setter->convert == NULL ? any_own(value, &converted)
                                     : setter->convert(setter->converter, value, &converted);
  if (code != 0) return -1;
  code = place_put(setter->type_index, place, &converted);
  any_release(&converted);
  return code;
}

static int place_call_setter(void *handle, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result)
{
  if (args == NULL || num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr ||
      args[0].v_ptr == NULL) {
    return raise_error("TypeError", "setter: Expected the address of a field, and a value", NULL);
  }
  if (place_set(handle, args[0].v_ptr, &args[1]) != 0) return -1;
  if (result != NULL) *result = any_none();
  return 0;
}

int place_make_setter(const NativeCall *call)
{
  int64_t type_index = call->args[0].v_int64;
  intptr_t address = (intptr_t)call->args[2].v_int64;
  if (type_index != (int32_t)type_index || place_getter((int32_t)type_index) == NULL) {
    return raise_error("ValueError", call->spec->name, ": no field has the type index ",
                       raise_number(type_index).text, NULL);
  }
  PlaceSetter *setter = (PlaceSetter *)function_new_plain(place_call_setter);
  if (setter == NULL) return raise_out_of_memory();
  setter->type_index = (int32_t)type_index;
  setter->converter = (void *)(intptr_t)call->args[1].v_int64;
  memcpy(&setter->convert, &address, sizeof address);
  return native_give(call, any_object(&setter->function.header));
}
