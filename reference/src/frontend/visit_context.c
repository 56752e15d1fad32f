// SPDX-License-Identifier: Apache-2.0
// The objects of a context are looked for from a root, each below the one before. Objects under
// which nothing was found are not searched again; those with one holder are met only with that, so
// they need not be noted. Paths are made of what is found only: on the way there, the steps lie on
// the stack.
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
  Nested *here;           // borrow: how deep the thread is
  TVMFFIObject *pattern;  // borrow: an Array, the outermost first, none twice in a row
  bool with_prefixes;
  Pairs empty;          // objects below which there is nothing, with the object that was missing
  unsigned again;       // how many objects above are searched another time
  TVMFFIObject *found;  // own: a List of paths
} Find;

// A step of the way to an object that is being searched.
typedef struct Way {
  struct Way *above;  // NULL where the search began
  AccessKind kind;
  const TVMFFIFieldInfo *field;  // whose name is the key; NULL of what is in a container
  TVMFFIAny key;                 // borrow
  bool is_held;                  // the search has a reference to the object by itself
  TVMFFIObject *path;            // own: the path to here; NULL until something was found below
} Way;

static TVMFFIObject *find_due(const Find *self, int64_t place)
{
  return sequence_values(self->pattern)[place].v_obj;
}

static int64_t find_count(const Find *self)
{
  return sequence_cell(self->pattern)->size;
}

// Makes the last step of a way. Returns own; NULL with an error.
static TVMFFIObject *find_step(const Way *way)
{
  TVMFFIAny name;
  if (way->field == NULL) return access_step(way->kind, &way->key);
  if (TVMFFIStringFromByteArray(&way->field->name, &name) != 0) return NULL;
  TVMFFIObject *step = access_step(way->kind, &name);
  any_release(&name);
  return step;
}

// Makes the path to where a way leads. Returns borrow: of the way; NULL with an error.
static TVMFFIObject *find_path(Way *way)
{
  if (way->path != NULL) return way->path;
  if (way->above == NULL) return way->path = access_root();
  TVMFFIObject *path = find_path(way->above);
  TVMFFIObject *step = path == NULL ? NULL : find_step(way);
  if (step == NULL) return NULL;
  object_retain(path);
  way->path = access_extend(path, step);
  object_release(step);
  return way->path;
}

// What many objects share is found once for each way to it, so there is an end.
enum { FOUND_MAX = 10000 };

static int find_report(const Find *self, Way *way)
{
  if (sequence_cell(self->found)->size >= FOUND_MAX) {
    return raise_error("ValueError", self->function, ": more than ", raise_number(FOUND_MAX).text,
                       " ways lead there", NULL);
  }
  TVMFFIObject *path = find_path(way);
  if (path == NULL || sequence_reserve(self->found, sequence_cell(self->found)->size + 1) != 0) {
    return -1;
  }
  object_retain(path);
  sequence_append(self->found, any_object(path));
  return 0;
}

static int find_in(Find *self, TVMFFIObject *object, int64_t place, Way *way);

static bool find_goes_into(const TVMFFIAny *value)
{
  return any_held(value) != NULL && value->type_index != kTVMFFIStr &&
         value->type_index != kTVMFFIBytes;
}

// Goes on with an object that another one holds. Returns 0; -1 with an error.
// way: the step to it, which is given back.
static int find_child(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  int code = find_in(self, object, place, way);
  if (way->path != NULL) object_release(way->path);
  return code;
}

static int find_in_map(Find *self, MapObject *map, int64_t place, Way *way)
{
  bool is_held = children_can_change(map->header.type_index);
  for (uint64_t at = map_first(map);; at = map_next(map, at)) {
    const MapEntry *entry = map_entry(map, at);
    if (entry == NULL) return 0;
    if (!find_goes_into(&entry->value)) continue;
    TVMFFIAny key = children_hold(&map->header, &entry->key);
    TVMFFIAny value = children_hold(&map->header, &entry->value);
    int code = find_child(self, value.v_obj, place,
                          &(Way){way, ACCESS_MAP_ITEM, .key = key, .is_held = is_held});
    children_let_go(&map->header, &value);
    children_let_go(&map->header, &key);
    if (code != 0) return -1;
  }
}

static int find_in_sequence(Find *self, TVMFFIObject *sequence, int64_t place, Way *way)
{
  bool is_held = children_can_change(sequence->type_index);
  for (int64_t i = 0; i < sequence_cell(sequence)->size; ++i) {
    const TVMFFIAny *element = &sequence_values(sequence)[i];
    if (!find_goes_into(element)) continue;
    TVMFFIAny value = children_hold(sequence, element);
    int code = find_child(self, value.v_obj, place,
                          &(Way){way, ACCESS_ARRAY_ITEM, .key = any_int(i), .is_held = is_held});
    children_let_go(sequence, &value);
    if (code != 0) return -1;
  }
  return 0;
}

static int find_in_fields(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  const Type *type = type_find(object->type_index);
  FieldWalk walk = {.type = type == NULL ? NULL : &type->info};
  if (type == NULL) return 0;
  for (const TVMFFIFieldInfo *field; (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny value;
    if (field_get(field, object, &value) != 0) return -1;
    int code = 0;
    if (find_goes_into(&value)) {
      code = find_child(self, value.v_obj, place,
                        &(Way){way, ACCESS_ATTR, .field = field, .is_held = true});
    }
    any_release(&value);
    if (code != 0) return -1;
  }
  return 0;
}

// Looks for the object at a place of the pattern, and those behind it, in what an object holds.
// Returns 0; -1 with an error.
static int find_below(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  if (children_is_sequence(object->type_index)) return find_in_sequence(self, object, place, way);
  if (children_is_map(object->type_index)) {
    return find_in_map(self, (MapObject *)object, place, way);
  }
  return find_in_fields(self, object, place, way);
}

// Tells whether an object is as near as the search came: some of the pattern was found above it,
// and nothing was reported below it. Containers are only on the way.
static bool find_is_prefix(const Find *self, const TVMFFIObject *object, int64_t place,
                           const Way *way)
{
  return self->with_prefixes && place > 0 && way->above != NULL &&
         !children_is_sequence(object->type_index) && !children_is_map(object->type_index);
}

// Searches an object that isn't noted, or is to be searched again. Returns 0; -1 with an error.
static int find_descend(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  int64_t before = sequence_cell(self->found)->size;
  if (nested_descend(self->here, self->function) != 0) return -1;
  int code = find_below(self, object, place, way);
  nested_ascend(self->here);
  if (code != 0 || sequence_cell(self->found)->size != before) return code;
  return find_is_prefix(self, object, place, way) ? find_report(self, way) : 0;
}

// The same for an object that may be met more than once.
static int find_once(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  size_t number;
  int64_t before = sequence_cell(self->found)->size;
  int is_new = pairs_note(&self->empty, object, find_due(self, place), &number);
  if (is_new < 0) return -1;
  // One that is being searched holds itself, or nothing was found below it.
  if (is_new == 0 && self->empty.pairs[number].made == NULL) return 0;
  self->again += is_new == 0;
  int code = find_descend(self, object, place, way);
  self->again -= is_new == 0;
  if (code != 0) return -1;
  if (sequence_cell(self->found)->size != before && self->empty.pairs[number].made == NULL) {
    object_retain(object);  // it is to be searched again where it stands another time
    self->empty.pairs[number].made = object;
  }
  return 0;
}

static int find_in(Find *self, TVMFFIObject *object, int64_t place, Way *way)
{
  if (object == find_due(self, place)) {
    if (++place == find_count(self)) return find_report(self, way);
  }
  bool is_shared = object_references(object) > 1 + (uint32_t)way->is_held;
  return is_shared || self->again != 0 ? find_once(self, object, place, way)
                                       : find_descend(self, object, place, way);
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

// Makes an Array of the paths that were found. Returns own; NULL with an error.
static TVMFFIObject *find_result(const Find *self)
{
  int64_t count = sequence_cell(self->found)->size;
  TVMFFIObject *paths = sequence_new(kTVMFFIArray, count);
  if (paths == NULL) raise_out_of_memory();
  for (int64_t i = 0; paths != NULL && i < count; ++i) {
    sequence_append(paths, any_share(&sequence_values(self->found)[i]));
  }
  return paths;
}

// Returns own: an Array of the paths; NULL with an error.
static TVMFFIObject *find_paths(const NativeCall *call, TVMFFIObject *pattern)
{
  Find self = {.function = call->spec->name,
               .here = nested_here(),
               .pattern = pattern,
               .with_prefixes = call->args[2].v_int64 != 0,
               .empty = {.borrows_other = true},
               .found = sequence_new(kTVMFFIList, 0)};
  int code = self.found == NULL ? raise_out_of_memory() : 0;
  if (code == 0 && find_count(&self) > 0) {
    TVMFFIAny root = any_share(&call->args[0]);  // which counts as shared: it may be in a cycle
    code = find_child(&self, root.v_obj, 0, &(Way){.kind = ACCESS_ATTR});
    any_release(&root);
  }
  TVMFFIObject *paths = code == 0 ? find_result(&self) : NULL;
  if (self.found != NULL) object_release(self.found);
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
