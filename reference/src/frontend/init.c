// SPDX-License-Identifier: Apache-2.0
// A constructor takes the values of fields in their order, those that must be given before those
// that have a default, then, behind the object that says so, names each with a value. Everything is
// checked before an object is made.
#include "frontend/init.h"

#include <stdlib.h>
#include <string.h>

#include "core/object.h"
#include "core/raise.h"
#include "frontend/field.h"
#include "frontend/writer.h"
#include "native/singleton.h"
#include "type/type.h"

typedef struct {
  const TVMFFIFieldInfo *field;  // borrow
  int32_t place;                 // among the arguments without names; -1 for none
  bool is_parameter;
} InitField;

typedef struct {
  const TVMFFITypeInfo *type;  // borrow
  int32_t count, positional;   // of fields, and of those that can be given without a name
  InitField fields[];
} InitClass;

enum { INIT_FEW = 32 };

//--------------------------------------------------------------------------------------------------
// Arguments
//--------------------------------------------------------------------------------------------------

RAISE_COLD static int init_refuse(const InitClass *about, const char *what, const char *name)
{
  return raise_error("TypeError", raise_name(&about->type->type_key).text, ".__ffi_init__() ", what,
                     name, NULL);
}

RAISE_COLD static int init_refuse_name(const InitClass *about, const char *what,
                                       const TVMFFIByteArray *name)
{
  return raise_error("TypeError", raise_name(&about->type->type_key).text, ".__ffi_init__() ", what,
                     " '", raise_name(name).text, "'", NULL);
}

// Of fields with one name the last, which is of the most derived type, counts.
static int32_t init_find(const InitClass *about, TVMFFIByteArray name)
{
  for (int32_t i = about->count - 1; i >= 0; --i) {
    if (field_is_named(about->fields[i].field, name)) return i;
  }
  return -1;
}

static int init_read_names(const InitClass *about, const TVMFFIAny *args, int32_t count,
                           const TVMFFIAny **given)
{
  if (count % 2 != 0) return init_refuse(about, "expects names each with a value", "");
  for (int32_t i = 0; i < count; i += 2) {
    if (!native_is_string(&args[i])) return init_refuse(about, "expects names that are str", "");
    TVMFFIByteArray name = native_text(&args[i]);
    int32_t place = init_find(about, name);
    if (place < 0 || !about->fields[place].is_parameter) {
      return init_refuse_name(about, "has got an unexpected keyword argument", &name);
    }
    if (given[place] != NULL) {
      return init_refuse_name(about, "has got multiple values for the argument", &name);
    }
    given[place] = &args[i + 1];
  }
  return 0;
}

// Finds the value of each field.
// given: written, for each field; NULL for those without. Returns 0; -1 with an error.
static int init_read(const InitClass *about, const TVMFFIAny *args, int32_t num_args,
                     const TVMFFIAny **given)
{
  int32_t unnamed = 0;
  while (unnamed < num_args &&
         !(args[unnamed].type_index == kTVMFFIObject && singleton_is_kwargs(args[unnamed].v_obj))) {
    ++unnamed;
  }
  if (unnamed > about->positional) {
    return raise_error("TypeError", raise_name(&about->type->type_key).text,
                       ".__ffi_init__() takes ", raise_number(about->positional).text,
                       " positional arguments, but got ", raise_number(unnamed).text, NULL);
  }
  for (int32_t i = 0; i < about->count; ++i) {
    int32_t place = about->fields[i].place;
    given[i] = place >= 0 && place < unnamed ? &args[place] : NULL;
  }
  if (unnamed < num_args &&
      init_read_names(about, args + unnamed + 1, num_args - unnamed - 1, given) != 0) {
    return -1;
  }
  for (int32_t i = 0; i < about->count; ++i) {
    const TVMFFIFieldInfo *field = about->fields[i].field;
    if (given[i] != NULL || !about->fields[i].is_parameter ||
        (field->flags & kTVMFFIFieldFlagBitMaskHasDefault)) {
      continue;
    }
    return init_refuse_name(about,
                            field->flags & kTVMFFIFieldFlagBitMaskKwOnly
                                ? "is missing required keyword-only argument"
                                : "is missing required argument",
                            &field->name);
  }
  return 0;
}

//--------------------------------------------------------------------------------------------------
// The call
//--------------------------------------------------------------------------------------------------

static int init_set(const InitClass *about, const TVMFFIFieldInfo *field, TVMFFIObject *object,
                    const TVMFFIAny *value)
{
  if (field->setter == NULL) {
    if (value == NULL) return 0;
    return init_refuse_name(about, "can't set the field", &field->name);
  }
  if (value == NULL) {
    return field->flags & kTVMFFIFieldFlagBitMaskHasDefault ? field_set_default(field, object) : 0;
  }
  if (value->type_index != kTVMFFIObjectRValueRef) return field_set(field, object, value);
  TVMFFIAny moved;
  if (any_own(value, &moved) != 0) return -1;
  int code = field_set(field, object, &moved);
  any_release(&moved);
  return code;
}

// Puts before the message of a raised error which field it is about. Without memory it stays as it
// is.
RAISE_COLD static int init_explain(const InitClass *about, const TVMFFIFieldInfo *field,
                                   bool is_default)
{
  TVMFFIObjectHandle error = NULL;
  Writer text = {0};
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return -1;
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((TVMFFIObject *)error + 1);
  const TVMFFIByteArray *key = &about->type->type_key;
  if (writer_add(&text, key->data, key->size) == 0 &&
      writer_add_text(&text, is_default ? ".__ffi_init__() default for field '"
                                        : ".__ffi_init__() field '") == 0 &&
      writer_add(&text, field->name.data, field->name.size) == 0 &&
      writer_add_text(&text, "':\n") == 0 && writer_add_indented(&text, cell->message) == 0 &&
      writer_add(&text, "", 1) == 0) {
    raise_error(raise_name(&cell->kind).text, text.data, NULL);
  } else {
    TVMFFIErrorSetRaised(error);
  }
  writer_end(&text);
  object_release(error);
  return -1;
}

static int init_make(const InitClass *about, const TVMFFIAny *const *given, TVMFFIAny *result)
{
  TVMFFIObject *object = field_new_object("__ffi_init__", about->type);
  if (object == NULL) return -1;
  for (int32_t i = 0; i < about->count; ++i) {
    if (init_set(about, about->fields[i].field, object, given[i]) == 0) continue;
    object_release(object);
    return init_explain(about, about->fields[i].field, given[i] == NULL);
  }
  *result = any_object(object);
  return 0;
}

static int init_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const InitClass *about = handle;
  const TVMFFIAny *few[INIT_FEW], **given = few;
  if (result == NULL) return raise_null("__ffi_init__", "result");
  if (num_args < 0 || (num_args > 0 && args == NULL)) return raise_null("__ffi_init__", "args");
  if (about->count > INIT_FEW) given = malloc((size_t)about->count * sizeof *given);
  if (given == NULL) return raise_out_of_memory();
  int code = init_read(about, args, num_args, given);
  if (code == 0) code = init_make(about, given, result);
  if (given != few) free((void *)given);
  return code;
}

//--------------------------------------------------------------------------------------------------
// Registration
//--------------------------------------------------------------------------------------------------

static int32_t init_count(const TVMFFITypeInfo *type)
{
  FieldWalk walk = {.type = type};
  int32_t count = 0;
  while (field_next(&walk) != NULL) ++count;
  return count;
}

// Gives places to the fields that can be given without a name and have a default, or have none.
static void init_give_places(InitClass *about, bool with_default)
{
  for (int32_t i = 0; i < about->count; ++i) {
    int64_t flags = about->fields[i].field->flags;
    if (!about->fields[i].is_parameter || (flags & kTVMFFIFieldFlagBitMaskKwOnly)) continue;
    if (((flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) != with_default) continue;
    about->fields[i].place = about->positional++;
  }
}

static InitClass *init_new_class(const TVMFFITypeInfo *type)
{
  int32_t count = init_count(type);
  InitClass *about = malloc(sizeof *about + (size_t)count * sizeof *about->fields);
  if (about == NULL) return NULL;
  FieldWalk walk = {.type = type};
  *about = (InitClass){.type = type};
  for (const TVMFFIFieldInfo *field; about->count < count && (field = field_next(&walk)) != NULL;) {
    bool is_parameter = !(field->flags & kTVMFFIFieldFlagBitMaskInitOff);
    about->fields[about->count++] = (InitField){field, -1, is_parameter};
  }
  init_give_places(about, false);
  init_give_places(about, true);
  return about;
}

int init_give_attribute(const char *function, int32_t type_index)
{
  static const TVMFFIByteArray name = {"__ffi_init__", sizeof "__ffi_init__" - 1};
  const Type *type = type_find(type_index);
  TVMFFIObjectHandle init;
  if (type == NULL) return raise_no_type(function, "type_index", type_index);
  InitClass *about = init_new_class(&type->info);
  if (about == NULL) return raise_out_of_memory();
  if (TVMFFIFunctionCreate(about, init_call, free, &init) != 0) {
    free(about);
    return -1;
  }
  TVMFFIAny value = any_object(init);
  int code = TVMFFITypeRegisterAttr(type_index, &name, &value);
  object_release(init);
  return code;
}

int init_register(const NativeCall *call)
{
  int64_t type_index = call->args[0].v_int64;
  if (type_index != (int32_t)type_index) type_index = -1;
  if (init_give_attribute(call->spec->name, (int32_t)type_index) != 0) return -1;
  return native_give(call, any_none());
}
