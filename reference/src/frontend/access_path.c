// SPDX-License-Identifier: Apache-2.0
#include "frontend/access_path.h"

#include <stdbool.h>
#include <string.h>

#include "container/key.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"
#include "frontend/class.h"
#include "frontend/made.h"
#include "frontend/place.h"
#include "frontend/writer.h"
#include "native/native.h"
#include "native/rows.h"
#include "type/type.h"

// What compiled code reads in place.
typedef struct {
  TVMFFIObject header;
  int32_t kind;
  TVMFFIAny key;  // own
} StepObject;

typedef struct {
  TVMFFIObject header;
  TVMFFIObject *parent;  // own; NULL in the path without steps
  TVMFFIObject *step;    // own; NULL in the path without steps
  int32_t depth;
} PathObject;

static PathObject *access_path(const TVMFFIObject *object)
{
  return (PathObject *)object;
}

//--------------------------------------------------------------------------------------------------
// Making
//--------------------------------------------------------------------------------------------------

TVMFFIObject *access_step(AccessKind kind, const TVMFFIAny *key)
{
  StepObject *step = (StepObject *)made_new(TYPE_ACCESS_STEP, sizeof *step);
  if (step == NULL) return NULL;
  step->kind = kind;
  if (any_own(key, &step->key) == 0) return &step->header;
  step->key = any_none();
  object_release(&step->header);
  return NULL;
}

TVMFFIObject *access_root(void)
{
  return made_new(TYPE_ACCESS_PATH, sizeof(PathObject));
}

TVMFFIObject *access_extend(TVMFFIObject *path, TVMFFIObject *step)
{
  if (path == NULL) return NULL;
  PathObject *longer = (PathObject *)access_root();
  if (longer == NULL) {
    object_release(path);
    return NULL;
  }
  longer->parent = path;
  longer->depth = access_path(path)->depth + 1;
  longer->step = step;
  object_retain(step);
  return &longer->header;
}

static int access_create_step(TVMFFIObjectHandle *result)
{
  TVMFFIObject *made = made_new(TYPE_ACCESS_STEP, sizeof(StepObject));
  if (made == NULL) return -1;
  *result = made;
  return 0;
}

static int access_create_path(TVMFFIObjectHandle *result)
{
  TVMFFIObject *made = access_root();
  if (made == NULL) return -1;
  *result = made;
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Methods
//--------------------------------------------------------------------------------------------------

static int access_check(const NativeCall *call, int32_t place, int32_t type_index, const char *due)
{
  if (native_is_object(&call->args[place], type_index)) return 0;
  return raise_wrong_type(call->spec->name, place == 0 ? "argument #0" : "argument #1", due,
                          call->args[place].type_index);
}

static int access_check_path(const NativeCall *call, int32_t place)
{
  return access_check(call, place, TYPE_ACCESS_PATH, "ffi.reflection.AccessPath");
}

static int access_call_root(const NativeCall *call)
{
  TVMFFIObject *root = access_root();
  return root == NULL ? -1 : native_give(call, any_object(root));
}

// Continues the first argument with a step.
// step: own, also on failure; NULL fails.
static int access_continue(const NativeCall *call, TVMFFIObject *step)
{
  if (step == NULL) return -1;
  object_retain(call->args[0].v_obj);
  TVMFFIObject *path = access_extend(call->args[0].v_obj, step);
  object_release(step);
  return path == NULL ? -1 : native_give(call, any_object(path));
}

static int access_call_extend(const NativeCall *call)
{
  if (access_check_path(call, 0) != 0) return -1;
  if (access_check(call, 1, TYPE_ACCESS_STEP, "ffi.reflection.AccessStep") != 0) return -1;
  object_retain(call->args[1].v_obj);
  return access_continue(call, call->args[1].v_obj);
}

static int access_call_step(const NativeCall *call, AccessKind kind)
{
  if (access_check_path(call, 0) != 0) return -1;
  return access_continue(call, access_step(kind, &call->args[1]));
}

static int access_call_attr(const NativeCall *call)
{
  return access_call_step(call, ACCESS_ATTR);
}

static int access_call_attr_missing(const NativeCall *call)
{
  return access_call_step(call, ACCESS_ATTR_MISSING);
}

static int access_call_array_item(const NativeCall *call)
{
  return access_call_step(call, ACCESS_ARRAY_ITEM);
}

static int access_call_array_item_missing(const NativeCall *call)
{
  return access_call_step(call, ACCESS_ARRAY_ITEM_MISSING);
}

static int access_call_map_item(const NativeCall *call)
{
  return access_call_step(call, ACCESS_MAP_ITEM);
}

static int access_call_map_item_missing(const NativeCall *call)
{
  return access_call_step(call, ACCESS_MAP_ITEM_MISSING);
}

// Tells whether two steps lead to the same. Returns 1 or 0; -1 with an error.
static int access_same_step(const TVMFFIObject *one, const TVMFFIObject *other)
{
  const StepObject *left = (const StepObject *)one, *right = (const StepObject *)other;
  if (one == other) return 1;
  if (one == NULL || other == NULL || left->kind != right->kind) return 0;
  Key key;
  key_read(&left->key, &key);
  return key_equal(&key, &right->key);
}

// Tells whether two paths of the same length are equal.
static int access_same(const PathObject *one, const PathObject *other)
{
  int same = 1;
  while (one != other && same == 1) {
    same = access_same_step(one->step, other->step);
    if (one->parent == NULL || other->parent == NULL) break;
    one = access_path(one->parent);
    other = access_path(other->parent);
  }
  return same;
}

static int access_call_equal(const NativeCall *call)
{
  if (access_check_path(call, 0) != 0 || access_check_path(call, 1) != 0) return -1;
  const PathObject *one = access_path(call->args[0].v_obj),
                   *other = access_path(call->args[1].v_obj);
  int same = one->depth == other->depth ? access_same(one, other) : 0;
  return same < 0 ? -1 : native_give(call, any_bool(same));
}

static int access_call_is_prefix(const NativeCall *call)
{
  if (access_check_path(call, 0) != 0 || access_check_path(call, 1) != 0) return -1;
  const PathObject *one = access_path(call->args[0].v_obj),
                   *other = access_path(call->args[1].v_obj);
  while (other->depth > one->depth && other->parent != NULL) other = access_path(other->parent);
  int same = one->depth == other->depth ? access_same(one, other) : 0;
  return same < 0 ? -1 : native_give(call, any_bool(same));
}

static int64_t access_count(const PathObject *path)
{
  int64_t count = 0;
  for (; path->parent != NULL; path = access_path(path->parent)) count += path->step != NULL;
  return count;
}

// Makes an Array of the steps, the first first. Returns own; NULL with an error.
static TVMFFIObject *access_steps(const PathObject *path)
{
  int64_t count = access_count(path);
  TVMFFIObject *steps = sequence_new(kTVMFFIArray, count);
  if (steps == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  sequence_cell(steps)->size = count;
  for (; path->parent != NULL; path = access_path(path->parent)) {
    if (path->step == NULL) continue;
    object_retain(path->step);
    sequence_values(steps)[--count] = any_object(path->step);
  }
  return steps;
}

static int access_call_steps(const NativeCall *call)
{
  if (access_check_path(call, 0) != 0) return -1;
  TVMFFIObject *steps = access_steps(access_path(call->args[0].v_obj));
  return steps == NULL ? -1 : native_give(call, any_object(steps));
}

//--------------------------------------------------------------------------------------------------
// Texts
//--------------------------------------------------------------------------------------------------

// Writes a step: .name, [key], or [<missing:key>].
// printer: a function that gives the text of a value.
static int access_write_step(Writer *writer, const StepObject *step, TVMFFIObject *printer)
{
  bool missing = step->kind >= ACCESS_ATTR_MISSING;
  TVMFFIAny arg = step->key, text = any_none();
  if (step->kind == ACCESS_ATTR && native_is_string(&step->key)) {
    TVMFFIByteArray name = native_text(&step->key);
    return writer_add_text(writer, ".") != 0 ? -1 : writer_add(writer, name.data, name.size);
  }
  if (TVMFFIFunctionCall(printer, &arg, 1, &text) != 0) return -1;
  TVMFFIByteArray key = native_is_string(&text) ? native_text(&text) : (TVMFFIByteArray){"?", 1};
  int code = writer_add_text(writer, missing ? "[<missing:" : "[");
  if (code == 0) code = writer_add(writer, key.data, key.size);
  if (code == 0) code = writer_add_text(writer, missing ? ">]" : "]");
  any_release(&text);
  return code;
}

static int access_give_text(const NativeCall *call, Writer *writer, int code)
{
  TVMFFIAny text;
  if (code == 0) code = writer_finish(writer, &text);
  writer_end(writer);
  return code == 0 ? native_give(call, text) : -1;
}

static int access_repr_step(const NativeCall *call)
{
  Writer writer = {0};
  if (access_check(call, 0, TYPE_ACCESS_STEP, "ffi.reflection.AccessStep") != 0) return -1;
  int code =
      access_write_step(&writer, (const StepObject *)call->args[0].v_obj, call->args[1].v_obj);
  return access_give_text(call, &writer, code);
}

static int access_repr_path(const NativeCall *call)
{
  Writer writer = {0};
  if (access_check_path(call, 0) != 0) return -1;
  TVMFFIObject *steps = access_steps(access_path(call->args[0].v_obj));
  if (steps == NULL) return -1;
  int code = writer_add_text(&writer, "<root>");
  for (int64_t i = 0; i < sequence_cell(steps)->size && code == 0; ++i) {
    code = access_write_step(&writer, (const StepObject *)sequence_values(steps)[i].v_obj,
                             call->args[1].v_obj);
  }
  object_release(steps);
  return access_give_text(call, &writer, code);
}

//--------------------------------------------------------------------------------------------------
// The classes
//--------------------------------------------------------------------------------------------------

#define STEP_TYPE CLASS_TYPE("ffi.reflection.AccessStep")
#define OBJECT_TYPE CLASS_TYPE("ffi.Object")

static const ClassField step_fields[] = {
    {.name = "kind",
     .metadata = CLASS_SCHEMA(CLASS_TYPE("int")),
     .size = sizeof(int32_t),
     .offset = offsetof(StepObject, kind),
     .declared = kTVMFFIInt,
     .getter = place_get_int32,
     .setter = place_set_int32},
    {.name = "key",
     .metadata = CLASS_SCHEMA(CLASS_TYPE("Any")),
     .size = sizeof(TVMFFIAny),
     .offset = offsetof(StepObject, key),
     .declared = kTVMFFIAny},
};

static const ClassField path_fields[] = {
    {.name = "parent",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("Optional", OBJECT_TYPE)),
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(PathObject, parent),
     .declared = kTVMFFIObject},
    {.name = "step",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("Optional", STEP_TYPE)),
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(PathObject, step),
     .declared = kTVMFFIObject},
    {.name = "depth",
     .metadata = CLASS_SCHEMA(CLASS_TYPE("int")),
     .size = sizeof(int32_t),
     .offset = offsetof(PathObject, depth),
     .declared = kTVMFFIInt,
     .getter = place_get_int32,
     .setter = place_set_int32},
};

#define FIELDS(array) .fields = (array), .field_count = sizeof(array) / sizeof *(array)
static const Class classes[] = {
    {.type_index = TYPE_ACCESS_STEP,
     .size = sizeof(StepObject),
     .kind = kTVMFFISEqHashKindConstTreeNode,
     .creator = access_create_step,
     FIELDS(step_fields)},
    {.type_index = TYPE_ACCESS_PATH,
     .size = sizeof(PathObject),
     .kind = kTVMFFISEqHashKindConstTreeNode,
     .creator = access_create_path,
     FIELDS(path_fields)},
};

#define METHOD(name) "ffi.reflection.AccessPath." name
static const NativeSpec methods[] = {
    {F0(METHOD("_root"), access_call_root, OBJECT)},
    {F2(METHOD("_extend"), access_call_extend, OBJECT, ANY, ANY)},
    {F2(METHOD("_attr"), access_call_attr, OBJECT, ANY, STR)},
    {F2(METHOD("_array_item"), access_call_array_item, OBJECT, ANY, INT)},
    {F2(METHOD("_map_item"), access_call_map_item, OBJECT, ANY, ANY)},
    {F2(METHOD("_attr_missing"), access_call_attr_missing, OBJECT, ANY, STR)},
    {F2(METHOD("_array_item_missing"), access_call_array_item_missing, OBJECT, ANY, INT)},
    {F2(METHOD("_map_item_missing"), access_call_map_item_missing, OBJECT, ANY, ANY)},
    {F2(METHOD("_is_prefix_of"), access_call_is_prefix, BOOL, ANY, ANY)},
    {F1(METHOD("_to_steps"), access_call_steps, ARRAY, ANY)},
    {F2(METHOD("_path_equal"), access_call_equal, BOOL, ANY, ANY)},
};
static const NativeSpec step_repr = {F2("__ffi_repr__", access_repr_step, STR, ANY, FUNCTION)};
static const NativeSpec path_repr = {F2("__ffi_repr__", access_repr_path, STR, ANY, FUNCTION)};

CLASS_START static void access_start(void)
{
  static NativeFunction step_function, path_function, functions[sizeof methods / sizeof *methods];
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) class_enter(&classes[i]);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    class_enter_method(TYPE_ACCESS_PATH, &methods[i], &functions[i], methods[i].arity == 0);
  }
  class_enter_attribute(TYPE_ACCESS_STEP, &step_repr, &step_function);
  class_enter_attribute(TYPE_ACCESS_PATH, &path_repr, &path_function);
}
