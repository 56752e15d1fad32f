// SPDX-License-Identifier: Apache-2.0
#include "frontend/field.h"

#include <string.h>

#include "core/raise.h"
#include "type/attribute.h"

static Attribute maker = {ATTRIBUTE("__ffi_new__")};

const TVMFFIFieldInfo *field_next(FieldWalk *walk)
{
  for (; walk->depth <= walk->type->type_depth; ++walk->depth, walk->place = 0) {
    const TVMFFITypeInfo *type = walk->depth == walk->type->type_depth
                                     ? walk->type
                                     : walk->type->type_ancestors[walk->depth];
    int32_t count = __atomic_load_n(&type->num_fields, __ATOMIC_ACQUIRE);
    const TVMFFIFieldInfo *fields = __atomic_load_n(&type->fields, __ATOMIC_ACQUIRE);
    if (walk->place < count) return &fields[walk->place++];
  }
  return NULL;
}

bool field_is_named(const TVMFFIFieldInfo *field, TVMFFIByteArray name)
{
  return name.size == field->name.size &&
         (name.size == 0 || memcmp(name.data, field->name.data, name.size) == 0);
}

int field_get(const TVMFFIFieldInfo *field, TVMFFIObject *object, TVMFFIAny *out)
{
  if (field->getter == NULL) {
    return raise_error("TypeError", "the field `", raise_name(&field->name).text,
                       "` can't be read: it has no getter", NULL);
  }
  *out = any_none();
  return field->getter((char *)object + field->offset, out) == 0 ? 0 : -1;
}

int field_set(const TVMFFIFieldInfo *field, TVMFFIObject *object, const TVMFFIAny *value)
{
  void *address = (char *)object + field->offset;
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

int field_set_default(const TVMFFIFieldInfo *field, TVMFFIObject *object)
{
  const TVMFFIAny *standard = &field->default_value_or_factory;
  if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) ||
      standard->type_index != kTVMFFIFunction) {
    return field_set(field, object, standard);  // REG-21
  }
  TVMFFIAny made = any_none();
  if (TVMFFIFunctionCall(standard->v_obj, NULL, 0, &made) != 0) return -1;
  int code = field_set(field, object, &made);
  any_release(&made);
  return code;
}

bool field_can_make(const TVMFFITypeInfo *type)
{
  const TVMFFITypeMetadata *metadata = field_metadata(type);
  return (metadata != NULL && metadata->creator != NULL) ||
         attribute_of(&maker, type->type_index) != NULL;
}

TVMFFIObject *field_new_object(const char *function, const TVMFFITypeInfo *type)
{
  const TVMFFITypeMetadata *metadata = field_metadata(type);
  const TVMFFIAny *make = attribute_of(&maker, type->type_index);
  TVMFFIObjectHandle handle = NULL;
  if (metadata != NULL && metadata->creator != NULL) {
    if (metadata->creator(&handle) != 0) return NULL;
  } else if (make != NULL && make->type_index == kTVMFFIFunction) {
    TVMFFIAny made = any_none();
    if (TVMFFIFunctionCall(make->v_obj, NULL, 0, &made) != 0) return NULL;
    handle = any_held(&made);
  } else {
    raise_error("RuntimeError", function, ": objects of type `", raise_name(&type->type_key).text,
                "` can't be made: it has no creator", NULL);
    return NULL;
  }
  if (handle == NULL) raise_error("RuntimeError", function, ": the creator made no object", NULL);
  return handle;
}
