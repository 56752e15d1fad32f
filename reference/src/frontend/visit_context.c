// SPDX-License-Identifier: Apache-2.0
// The objects of a context are looked for from a root, each below the one before. Objects under
// which nothing was found are not searched again.
#include "frontend/visit_context.h"

#include <stddef.h>

#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "core/error.h"
#include "frontend/access_path.h"
#include "frontend/children.h"
#include "frontend/class.h"
#include "frontend/made.h"
#include "frontend/nested.h"
#include "frontend/structural.h"
#include "type/type.h"

// What compiled code reads in place.
typedef struct {
  TVMFFIObject header;
  TVMFFIObject *pattern;   // own: a List
  TVMFFIObject *previous;  // own; may be NULL
} ContextObject;

//--------------------------------------------------------------------------------------------------
// Noting
//--------------------------------------------------------------------------------------------------

static int context_create(TVMFFIObjectHandle *result)
{
  ContextObject *made = (ContextObject *)made_new(TYPE_VISIT_ERROR_CONTEXT, sizeof *made);
  if (made == NULL) return -1;
  made->pattern = sequence_new(kTVMFFIList, 4);
  if (made->pattern == NULL) {
    object_release(&made->header);
    return raise_out_of_memory();
  }
  *result = made;
  return 0;
}

void visit_context_add(TVMFFIObject *error, TVMFFIObject *object)
{
#ifdef TVM_FFI_GENERATION_2025_09
  (void)error, (void)object;
#else
  TVMFFIErrorCell *cell = error_cell(error);
  TVMFFIObject *context = cell->extra_context;
  if (context == NULL || context->type_index != TYPE_VISIT_ERROR_CONTEXT) {
    TVMFFIObjectHandle made = NULL;
    if (context_create(&made) != 0) return;
    ((ContextObject *)made)->previous = context;
    context = made;
    cell->extra_context = context;
  }
  TVMFFIObject *pattern = ((ContextObject *)context)->pattern;
  if (pattern == NULL || sequence_reserve(pattern, sequence_cell(pattern)->size + 1) != 0) return;
  object_retain(object);
  sequence_append(pattern, any_object(object));
#endif
}

//--------------------------------------------------------------------------------------------------
// Finding
//--------------------------------------------------------------------------------------------------

typedef struct {
  const char *function;
  TVMFFIObject *pattern;  // borrow: an Array, the outermost first, none twice in a row
  TVMFFIObject *root;     // borrow: the path to where the search began
  bool with_prefixes;
  Pairs empty;          // objects below which there is nothing, with the object that was missing
  TVMFFIObject *found;  // own: a List of paths
} Find;

static TVMFFIObject *find_due(const Find *self, int64_t place)
{
  return sequence_values(self->pattern)[place].v_obj;
}

static int64_t find_count(const Find *self)
{
  return sequence_cell(self->pattern)->size;
}

// What many objects share is found once for each way to it, so there is an end.
enum { FOUND_MAX = 10000 };

static int find_report(const Find *self, TVMFFIObject *path)
{
  if (sequence_cell(self->found)->size >= FOUND_MAX) {
    return raise_error("ValueError", self->function, ": more than ", raise_number(FOUND_MAX).text,
                       " ways lead there", NULL);
  }
  if (sequence_reserve(self->found, sequence_cell(self->found)->size + 1) != 0) return -1;
  object_retain(path);
  sequence_append(self->found, any_object(path));
  return 0;
}

static int find_in(Find *self, TVMFFIObject *object, int64_t place, TVMFFIObject *path);

// Goes on with a value that an object holds. Returns 0; -1 with an error.
static int find_child(Find *self, const TVMFFIAny *value, int64_t place, TVMFFIObject *path,
                      AccessKind kind, const TVMFFIAny *key)
{
  if (any_held(value) == NULL || native_is_string(value) || native_is_bytes(value)) return 0;
  TVMFFIObject *step = access_step(kind, key);
  if (step == NULL) return -1;
  object_retain(path);
  TVMFFIObject *longer = access_extend(path, step);
  object_release(step);
  if (longer == NULL) return -1;
  int code = find_in(self, value->v_obj, place, longer);
  object_release(longer);
  return code;
}

static int find_in_map(Find *self, MapObject *map, int64_t place, TVMFFIObject *path)
{
  for (uint64_t at = map_first(map);; at = map_next(map, at)) {
    const MapEntry *entry = map_entry(map, at);
    if (entry == NULL) return 0;
    if (find_child(self, &entry->value, place, path, ACCESS_MAP_ITEM, &entry->key) != 0) return -1;
  }
}

static int find_in_sequence(Find *self, TVMFFIObject *sequence, int64_t place, TVMFFIObject *path)
{
  for (int64_t i = 0; i < sequence_cell(sequence)->size; ++i) {
    TVMFFIAny value = any_share(&sequence_values(sequence)[i]), key = any_int(i);
    int code = find_child(self, &value, place, path, ACCESS_ARRAY_ITEM, &key);
    any_release(&value);
    if (code != 0) return -1;
  }
  return 0;
}

static int find_in_fields(Find *self, TVMFFIObject *object, int64_t place, TVMFFIObject *path)
{
  const Type *type = type_find(object->type_index);
  FieldWalk walk = {.type = type == NULL ? NULL : &type->info};
  if (type == NULL) return 0;
  for (const TVMFFIFieldInfo *field; (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny value, key;
    if (field_get(field, object, &value) != 0) return -1;
    int code = TVMFFIStringFromByteArray(&field->name, &key);
    if (code == 0) {
      code = find_child(self, &value, place, path, ACCESS_ATTR, &key);
      any_release(&key);
    }
    any_release(&value);
    if (code != 0) return -1;
  }
  return 0;
}

// Looks for the object at a place of the pattern, and those behind it, in what an object holds.
// Returns 0; -1 with an error.
static int find_below(Find *self, TVMFFIObject *object, int64_t place, TVMFFIObject *path)
{
  if (children_is_sequence(object->type_index)) {
    return find_in_sequence(self, object, place, path);
  }
  if (children_is_map(object->type_index)) {
    return find_in_map(self, (MapObject *)object, place, path);
  }
  return find_in_fields(self, object, place, path);
}

// Tells whether an object is as near as the search came: some of the pattern was found above it,
// and nothing was reported below it. Containers are only on the way.
static bool find_is_prefix(const Find *self, const TVMFFIObject *object, int64_t place,
                           const TVMFFIObject *path)
{
  return self->with_prefixes && place > 0 && path != self->root &&
         !children_is_sequence(object->type_index) && !children_is_map(object->type_index);
}

static int find_in(Find *self, TVMFFIObject *object, int64_t place, TVMFFIObject *path)
{
  size_t number;
  int64_t before = sequence_cell(self->found)->size;
  if (object == find_due(self, place)) {
    if (++place == find_count(self)) return find_report(self, path);
  }
  TVMFFIObject *due = find_due(self, place);
  int is_new = pairs_note(&self->empty, object, due, &number);
  if (is_new < 0) return -1;
  // One that is being searched holds itself, or nothing was found below it.
  if (is_new == 0 && self->empty.pairs[number].made == NULL) return 0;
  if (nested_descend(self->function) != 0) return -1;
  int code = find_below(self, object, place, path);
  nested_ascend();
  if (code != 0) return -1;
  if (sequence_cell(self->found)->size == before && find_is_prefix(self, object, place, path) &&
      find_report(self, path) != 0) {
    return -1;
  }
  if (sequence_cell(self->found)->size != before && self->empty.pairs[number].made == NULL) {
    object_retain(object);  // it is to be searched again where it stands another time
    self->empty.pairs[number].made = object;
  }
  return 0;
}

// Makes the pattern in the order of the search. Returns own; NULL with an error.
static TVMFFIObject *find_pattern(TVMFFIObject *reverse)
{
  int64_t count = sequence_cell(reverse)->size;
  TVMFFIObject *pattern = sequence_new(kTVMFFIArray, count);
  if (pattern == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  const TVMFFIObject *last = NULL;
  for (int64_t i = count; i-- > 0;) {
    const TVMFFIAny *value = &sequence_values(reverse)[i];
    if (any_held(value) == NULL || value->v_obj == last) continue;
    last = value->v_obj;
    sequence_append(pattern, any_share(value));
  }
  return pattern;
}

// Returns own: an Array of the paths; NULL with an error.
static TVMFFIObject *find_paths(const NativeCall *call, TVMFFIObject *pattern)
{
  Find self = {.function = call->spec->name,
               .pattern = pattern,
               .with_prefixes = call->args[2].v_int64 != 0,
               .found = sequence_new(kTVMFFIList, 0)};
  TVMFFIObject *root = self.root = access_root(), *paths = NULL;
  int code = self.found == NULL ? raise_out_of_memory() : root == NULL ? -1 : 0;
  if (code == 0 && find_count(&self) > 0) code = find_in(&self, call->args[0].v_obj, 0, root);
  if (code == 0) {
    int64_t count = sequence_cell(self.found)->size;
    paths = sequence_new(kTVMFFIArray, count);
    if (paths == NULL) raise_out_of_memory();
    for (int64_t i = 0; paths != NULL && i < count; ++i) {
      sequence_append(paths, any_share(&sequence_values(self.found)[i]));
    }
  }
  if (self.found != NULL) object_release(self.found);
  if (root != NULL) object_release(root);
  pairs_end(&self.empty);
  return paths;
}

int visit_context_find(const NativeCall *call)
{
  if (any_held(&call->args[0]) == NULL) {
    return raise_wrong_type(call->spec->name, "argument #0", "an object", call->args[0].type_index);
  }
  if (!native_is_object(&call->args[1], TYPE_VISIT_ERROR_CONTEXT)) {
    return raise_wrong_type(call->spec->name, "argument #1", "ffi.VisitErrorContext",
                            call->args[1].type_index);
  }
  TVMFFIObject *reverse = ((ContextObject *)call->args[1].v_obj)->pattern;
  if (reverse == NULL) return raise_null(call->spec->name, "reverse_visit_pattern");
  TVMFFIObject *pattern = find_pattern(reverse);
  if (pattern == NULL) return -1;
  TVMFFIObject *paths = find_paths(call, pattern);
  object_release(pattern);
  return paths == NULL ? -1 : native_give(call, any_object(paths));
}

//--------------------------------------------------------------------------------------------------
// The class
//--------------------------------------------------------------------------------------------------

#define OBJECT_TYPE CLASS_TYPE("ffi.Object")

static const ClassField fields[] = {
    {.name = "reverse_visit_pattern",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("ffi.List", OBJECT_TYPE)),
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(ContextObject, pattern),
     .declared = kTVMFFIList,
     .setter = class_set_list},
    {.name = "prev_error_context",
     .metadata = CLASS_SCHEMA(CLASS_TYPE_OF("Optional", OBJECT_TYPE)),
     .size = sizeof(TVMFFIObject *),
     .offset = offsetof(ContextObject, previous),
     .declared = kTVMFFIObject},
};

static const Class described = {.type_index = TYPE_VISIT_ERROR_CONTEXT,
                                .size = sizeof(ContextObject),
                                .creator = context_create,
                                .fields = fields,
                                .field_count = sizeof fields / sizeof *fields};

CLASS_START static void context_start(void)
{
  class_enter(&described);
}
