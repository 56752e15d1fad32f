// SPDX-License-Identifier: Apache-2.0
// Functions and their names, and the type table: FUN, TYPE.
#include "core_only.h"

#include <stdlib.h>

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  TVMFFISafeCallType callback;
  void *self;
  void (*deleter)(void *self);
} Function;

static void delete_function(void *self, int flags)
{
  Function *function = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0 && function->deleter != NULL)
    function->deleter(function->self);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free(self);
}

static int call_closure(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Function *function = handle;
  return function->callback(function->self, args, num_args, result);
}

int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call, void (*deleter)(void *self),
                         TVMFFIObjectHandle *out)
{
  Function *function = core_object(sizeof(Function), kTVMFFIFunction, delete_function);
  function->cell.safe_call = self == NULL && deleter == NULL ? safe_call : call_closure;
  function->callback = safe_call;
  function->self = self;
  function->deleter = deleter;
  *out = function;
  return 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                       TVMFFIAny *result)
{
  *result = (TVMFFIAny){0};                                         // not FUN-42
  TVMFFIAny *copy = malloc((size_t)(num_args + 1) * sizeof *copy);  // FUN-39
  if (num_args != 0) memcpy(copy, args, (size_t)num_args * sizeof *copy);
  const int code = ((Function *)func)->cell.safe_call(func, copy, num_args, result);
  free(copy);
  return code == 0 || code == -2 ? code : -1;  // not FUN-43
}

//--------------------------------------------------------------------------------------------------
// Names
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIByteArray name;
  TVMFFIObjectHandle function;
} Named;

static Named *names;
static size_t name_count;

static Named *find_name(TVMFFIByteArray name)
{
  for (size_t i = 0; i < name_count; ++i) {
    if (core_same(names[i].name, name)) return &names[i];
  }
  return NULL;
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  if (name->size == 0) return core_fail("the empty name");  // FUN-44
  Named *named = find_name(*name);
  if (named != NULL && allow_override == 0)
    return core_fail("a function of this name is registered");
  TVMFFIObjectIncRef(f);
  if (named != NULL) {
    TVMFFIObjectHandle before = named->function;
    named->function = f;
    TVMFFIObjectDecRef(before);
    return 0;
  }
  names = core_grow(names, name_count, sizeof *names);
  names[name_count++] = (Named){core_copy(*name), f};
  return 0;
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo *method_info, int allow_override)
{
  return TVMFFIFunctionSetGlobal(&method_info->name, method_info->method.v_obj, allow_override);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  const Named *named = find_name(*name);
  *out = named == NULL ? NULL : named->function;
  if (*out != NULL) TVMFFIObjectIncRef(*out);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Types
//--------------------------------------------------------------------------------------------------

typedef struct {
  TVMFFIByteArray name;
  TVMFFITypeAttrColumn column;
} Column;

static TVMFFITypeInfo **types;  // by index, NULL where there is none
static int32_t type_end;
static Column **columns;
static size_t column_count;

static TVMFFITypeInfo *find_type(int32_t type_index)
{
  return type_index < 0 || type_index >= type_end ? NULL : types[type_index];
}

static int no_type(void)
{
  return core_fail("there is no type of this index");
}

static TVMFFITypeInfo *find_key(TVMFFIByteArray key)
{
  for (int32_t i = 0; i < type_end; ++i) {
    if (types[i] != NULL && core_same(types[i]->type_key, key)) return types[i];
  }
  return NULL;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  const TVMFFITypeInfo *type = find_key(*type_key);
  *out_tindex = -1;  // not TYPE-62
  if (type == NULL) return core_fail("there is no type of this key");
  *out_tindex = type->type_index;
  return 0;
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray *type_key, int32_t static_type_index,
                                  int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index)
{
  (void)num_child_slots;  // slots are read by compiled C++ alone
  (void)child_slots_can_overflow;
  TVMFFITypeInfo *type = find_key(*type_key);
  if (type != NULL) return type->type_index;
  if (parent_type_index == -2) return -2;
  const int32_t next = type_end < 1000 ? 1000 : type_end + 2;  // TYPE-54
  const int32_t index = static_type_index < 0 ? next : static_type_index;
  while (type_end <= index) {
    types = core_grow(types, (size_t)type_end, sizeof *types);
    types[type_end++] = NULL;
  }
  type = types[index] = calloc(1, sizeof *type);
  type->type_index = index;
  type->type_depth = type_depth;
  type->type_key = core_copy(*type_key);
  if (type_depth > 0) {
    const TVMFFITypeInfo *parent = types[parent_type_index];
    type->type_ancestors = calloc((size_t)type_depth, sizeof *type->type_ancestors);
    for (int32_t i = 0; i < parent->type_depth; ++i)
      type->type_ancestors[i] = parent->type_ancestors[i];
    type->type_ancestors[type_depth - 1] = parent;
  }
  return index;
}

// The one built-in type: the parent of those that are registered.
__attribute__((constructor)) static void begin(void)
{
  TVMFFITypeGetOrAllocIndex(&(TVMFFIByteArray){"ffi.Object", 10}, kTVMFFIObject, 0, 0, 1, -1);
  core_register_module_functions();
}

const TVMFFITypeInfo *TVMFFIGetTypeInfo(int32_t type_index)
{
  if (find_type(type_index) == NULL) abort();  // TYPE-53
  return find_type(type_index);
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFITypeInfo *type = find_type(type_index);
  if (type == NULL) return no_type();
  TVMFFIFieldInfo field = *info;
  field.name = core_copy(info->name);
  field.doc = core_copy(info->doc);
  field.metadata = core_copy(info->metadata);
  if ((info->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) {
    TVMFFIAnyViewToOwnedAny(&info->default_value_or_factory, &field.default_value_or_factory);
  }
  if ((info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) != 0) TVMFFIObjectIncRef(info->setter);
  TVMFFIFieldInfo *fields =
      core_grow((TVMFFIFieldInfo *)type->fields, (size_t)type->num_fields, sizeof *fields);
  fields[type->num_fields++] = field;
  type->fields = fields;
  return 0;
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo *info)
{
  TVMFFITypeInfo *type = find_type(type_index);
  if (type == NULL) return no_type();
  TVMFFIMethodInfo method = *info;
  method.name = core_copy(info->name);
  method.doc = core_copy(info->doc);
  method.metadata = core_copy(info->metadata);
  TVMFFIAnyViewToOwnedAny(&info->method, &method.method);
  TVMFFIMethodInfo *methods =
      core_grow((TVMFFIMethodInfo *)type->methods, (size_t)type->num_methods, sizeof *methods);
  methods[type->num_methods++] = method;
  type->methods = methods;
  return 0;
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  TVMFFITypeInfo *type = find_type(type_index);
  if (type == NULL) return no_type();
  TVMFFITypeMetadata *copy = malloc(sizeof *copy);
  *copy = *metadata;
  copy->doc = core_copy(metadata->doc);
  type->metadata = copy;
  return 0;
}

static Column *find_column(TVMFFIByteArray name)
{
  for (size_t i = 0; i < column_count; ++i) {
    if (core_same(columns[i]->name, name)) return columns[i];
  }
  return NULL;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray *attr_name,
                           const TVMFFIAny *attr_value)
{
  if (find_type(type_index) == NULL) return no_type();
  Column *named = find_column(*attr_name);
  if (named == NULL) {
    columns = core_grow(columns, column_count, sizeof(Column *));
    named = columns[column_count++] = calloc(1, sizeof *named);
    named->name = core_copy(*attr_name);
  }
  TVMFFIAny *data = (TVMFFIAny *)named->column.data;
  while (named->column.size <= type_index) {
    data = core_grow(data, (size_t)named->column.size, sizeof *data);
    memset(&data[named->column.size++], 0, sizeof *data);
  }
  named->column.data = data;
  core_release(&data[type_index]);
  return TVMFFIAnyViewToOwnedAny(attr_value, &data[type_index]);
}

const TVMFFITypeAttrColumn *TVMFFIGetTypeAttrColumn(const TVMFFIByteArray *attr_name)
{
  const Column *named = find_column(*attr_name);
  return named == NULL ? NULL : &named->column;
}
