// SPDX-License-Identifier: Apache-2.0
// What is known of a type: its fields, its methods, and metadata. All texts are copied and kept for
// the life of the process, and so are arrays that got too small: a reader may still be in them. A
// reader sees the number of items grow after it can see the items.
#include <stdlib.h>
#include <string.h>

#include "core/any.h"
#include "core/memory.h"
#include "core/raise.h"
#include "type/type.h"

//--------------------------------------------------------------------------------------------------
// Texts
//--------------------------------------------------------------------------------------------------

typedef struct TypeTexts {
  struct TypeTexts *older;
  char bytes[];
} TypeTexts;

static TypeTexts *kept_texts;

// Lets `text` name its own copy, with a NUL behind, and returns the room behind that.
static char *type_member_copy_text(char *room, TVMFFIByteArray *text)
{
  if (text->size == 0) {
    *text = (TVMFFIByteArray){NULL, 0};
    return room;
  }
  memcpy(room, text->data, text->size);  // TYPE-34
  room[text->size] = '\0';
  text->data = room;
  return room + text->size + 1;
}

// Makes copies of three texts, each of which then names its copy. Own; NULL if there is no memory.
static TypeTexts *type_member_copy_texts(TVMFFIByteArray *first, TVMFFIByteArray *second,
                                         TVMFFIByteArray *third)
{
  size_t size = sizeof(TypeTexts) + 3;
  if (!memory_add(&size, first->size) || !memory_add(&size, second->size) ||
      !memory_add(&size, third->size)) {
    return NULL;
  }
  TypeTexts *texts = malloc(size);
  if (texts == NULL) return NULL;
  char *room = type_member_copy_text(texts->bytes, first);
  room = type_member_copy_text(room, second);
  type_member_copy_text(room, third);
  return texts;
}

// Keeps them for the life of the process. With the lock.
static void type_member_keep_texts(TypeTexts *texts)
{
  texts->older = kept_texts;
  kept_texts = texts;
}

//--------------------------------------------------------------------------------------------------
// What may go wrong. Errors are raised without the lock, because that may release another error.
//--------------------------------------------------------------------------------------------------

typedef enum { MEMBER_ADDED, MEMBER_TAKEN, MEMBER_NO_MEMORY } MemberStatus;

// Gives up a copy that was not added, and raises why.
static int type_member_give_up(const char *function, const Type *type, MemberStatus status,
                               TypeTexts *texts, const TVMFFIAny *value,
                               const TVMFFIByteArray *name)
{
  if (status == MEMBER_TAKEN) {  // TYPE-38
    raise_error("InternalError", function, ": `info->name` is `", raise_name(name).text,
                "`, a field that the type `", raise_name(&type->info.type_key).text,
                "` has already", NULL);
  } else {
    raise_out_of_memory();
  }
  free(texts);
  any_release(value);
  return -1;
}

static int type_member_check_texts(const char *function, const TVMFFIByteArray *name,
                                   const TVMFFIByteArray *doc, const TVMFFIByteArray *metadata)
{
  if (raise_unless_bytes(function, "info->name", name) != 0) return -1;
  if (raise_unless_bytes(function, "info->doc", doc) != 0) return -1;
  return raise_unless_bytes(function, "info->metadata", metadata);
}

//--------------------------------------------------------------------------------------------------
// Fields
//--------------------------------------------------------------------------------------------------

static int type_member_check_field(const char *function, const TVMFFIFieldInfo *info)
{
  if (info == NULL) return raise_null(function, "info");
  if (type_member_check_texts(function, &info->name, &info->doc, &info->metadata) != 0) return -1;
  if (info->size < 0) return raise_negative(function, "info->size", info->size);
  if (info->alignment < 0) return raise_negative(function, "info->alignment", info->alignment);
  if (!(info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) return 0;
  const TVMFFIObject *setter = info->setter;
  if (setter == NULL) return raise_null(function, "info->setter");
  if (setter->type_index == kTVMFFIFunction) return 0;
  return raise_wrong_type(function, "info->setter", "a Function", setter->type_index);
}

static bool type_member_has_field(const TVMFFITypeInfo *type, const TVMFFIByteArray *name)
{
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const TVMFFIByteArray *other = &type->fields[i].name;
    if (other->size != name->size) continue;
    if (name->size == 0 || memcmp(other->data, name->data, name->size) == 0) return true;
  }
  return false;
}

static MemberStatus type_member_add_field(Type *type, const TVMFFIFieldInfo *field)
{
  TVMFFITypeInfo *info = &type->info;
  int32_t count = info->num_fields;
  if (type_member_has_field(info, &field->name)) return MEMBER_TAKEN;
  TVMFFIFieldInfo *fields =
      type_list_reserve(&type->fields, info->fields, count, count + 1, sizeof *field);
  if (fields == NULL) return MEMBER_NO_MEMORY;
  fields[count] = *field;  // TYPE-32, TYPE-33
  __atomic_store_n(&info->fields, fields, __ATOMIC_RELEASE);
  __atomic_store_n(&info->num_fields, count + 1, __ATOMIC_RELEASE);
  return MEMBER_ADDED;
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo *info)
{
  if (type_member_check_field(__func__, info) != 0) return -1;
  Type *type = type_find(type_index);
  if (type == NULL) return raise_no_type(__func__, "type_index", type_index);  // TYPE-42
  TVMFFIFieldInfo field = *info;
  TVMFFIAny *value = &field.default_value_or_factory;
  *value = (TVMFFIAny){.type_index = kTVMFFINone};  // TYPE-36
  if (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) {
    if (any_own_argument(__func__, "info->default_value_or_factory",  // TYPE-35
                         &info->default_value_or_factory, value) != 0) {
      return -1;
    }
  }
  TypeTexts *texts = type_member_copy_texts(&field.name, &field.doc, &field.metadata);
  MemberStatus status = MEMBER_NO_MEMORY;
  if (texts != NULL) {
    type_lock();
    status = type_member_add_field(type, &field);
    if (status == MEMBER_ADDED) type_member_keep_texts(texts);
    type_unlock();
  }
  if (status != MEMBER_ADDED) {
    return type_member_give_up(__func__, type, status, texts, value, &field.name);
  }
  if (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) object_retain(info->setter);  // TYPE-37
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Methods
//--------------------------------------------------------------------------------------------------

static MemberStatus type_member_add_method(Type *type, const TVMFFIMethodInfo *method)
{
  TVMFFITypeInfo *info = &type->info;
  int32_t count = info->num_methods;
  TVMFFIMethodInfo *methods =
      type_list_reserve(&type->methods, info->methods, count, count + 1, sizeof *method);
  if (methods == NULL) return MEMBER_NO_MEMORY;
  methods[count] = *method;
  __atomic_store_n(&info->methods, methods, __ATOMIC_RELEASE);
  __atomic_store_n(&info->num_methods, count + 1, __ATOMIC_RELEASE);
  return MEMBER_ADDED;
}

static int type_member_check_method(const char *function, const TVMFFIMethodInfo *info)
{
  if (info == NULL) return raise_null(function, "info");
  if (type_member_check_texts(function, &info->name, &info->doc, &info->metadata) != 0) return -1;
  const TVMFFIAny *method = &info->method;
  if (method->type_index != kTVMFFIFunction && method->type_index != kTVMFFINone) {
    return raise_wrong_type(function, "info->method", "a Function", method->type_index);
  }
  if (method->type_index == kTVMFFINone) return 0;
  if (method->v_obj == NULL) return raise_null(function, "info->method");
  if (method->v_obj->type_index == kTVMFFIFunction) return 0;
  return raise_wrong_type(function, "info->method", "a Function", method->v_obj->type_index);
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo *info)
{
  if (type_member_check_method(__func__, info) != 0) return -1;
  Type *type = type_find(type_index);
  if (type == NULL) return raise_no_type(__func__, "type_index", type_index);  // TYPE-42
  TVMFFIMethodInfo method = *info;
  if (TVMFFIAnyViewToOwnedAny(&info->method, &method.method) != 0) return -1;  // TYPE-39
  TypeTexts *texts = type_member_copy_texts(&method.name, &method.doc, &method.metadata);
  MemberStatus status = MEMBER_NO_MEMORY;
  if (texts != NULL) {
    type_lock();
    status = type_member_add_method(type, &method);
    if (status == MEMBER_ADDED) type_member_keep_texts(texts);
    type_unlock();
  }
  if (status == MEMBER_ADDED) return 0;
  return type_member_give_up(__func__, type, status, texts, &method.method, &method.name);
}

//--------------------------------------------------------------------------------------------------
// Metadata
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFITypeMetadata metadata;
  char doc[];
} TypeMetadata;

static TypeMetadata *type_member_copy_metadata(const TVMFFITypeMetadata *metadata)
{
  size_t size = sizeof(TypeMetadata) + 1;
  TypeMetadata *copy = memory_add(&size, metadata->doc.size) ? malloc(size) : NULL;
  if (copy == NULL) return NULL;
  copy->metadata = *metadata;
  type_member_copy_text(copy->doc, &copy->metadata.doc);
  return copy;
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  if (metadata == NULL) return raise_null(__func__, "metadata");
  if (raise_unless_bytes(__func__, "metadata->doc", &metadata->doc) != 0) return -1;
  if (metadata->total_size < 0) {
    return raise_negative(__func__, "metadata->total_size", metadata->total_size);
  }
  Type *type = type_find(type_index);
  if (type == NULL) return raise_no_type(__func__, "type_index", type_index);  // TYPE-42
  TypeMetadata *copy = type_member_copy_metadata(metadata);
  if (copy == NULL) return raise_out_of_memory();
  type_lock();
  bool taken = type->info.metadata != NULL;
  if (!taken) __atomic_store_n(&type->info.metadata, &copy->metadata, __ATOMIC_RELEASE);  // TYPE-40
  type_unlock();
  if (!taken) return 0;
  free(copy);
  return raise_error("RuntimeError", __func__, ": `type_index` is that of `",  // TYPE-41
                     raise_name(&type->info.type_key).text, "`, which has metadata already", NULL);
}
