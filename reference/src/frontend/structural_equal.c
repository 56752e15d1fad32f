// SPDX-License-Identifier: Apache-2.0
// Where a difference stands is noted from the inside out, as the comparison comes back from it.
#include "frontend/structural_equal.h"

#include <stdlib.h>
#include <string.h>

#include "container/key.h"
#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "frontend/access_path.h"
#include "frontend/big.h"
#include "frontend/children.h"
#include "frontend/nested.h"
#include "frontend/structural.h"
#include "type/attribute.h"

static Attribute own_equality = {ATTRIBUTE("__s_equal__")};

// A step on either side.
typedef struct {
  TVMFFIObject *one, *other;  // own
} EqualStep;

typedef struct {
  const char *function;
  Nested *here;        // borrow: how deep the thread is
  bool skips_content;  // of tensors
  bool traces;         // notes where the first difference stands
  Region region;
  Pairs forward, backward;  // what stands for an object of the one or the other side
  EqualStep *steps;
  size_t count, room;
} Equal;

//--------------------------------------------------------------------------------------------------
// Where a difference stands
//--------------------------------------------------------------------------------------------------

static void equal_forget(Equal *self, size_t count)
{
  while (self->count > count) {
    --self->count;
    object_release(self->steps[self->count].one);
    object_release(self->steps[self->count].other);
  }
}

// Notes a step to a difference. Returns 0, which stands for one; -1 with an error.
static int equal_note(Equal *self, AccessKind one, AccessKind other, const TVMFFIAny *key)
{
  if (!self->traces) return 0;
  if (self->count == self->room) {
    size_t room = self->room == 0 ? 8 : self->room * 2;
    EqualStep *grown = realloc(self->steps, room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    self->steps = grown;
    self->room = room;
  }
  EqualStep step = {access_step(one, key), NULL};
  if (step.one == NULL) return -1;
  step.other = one == other ? step.one : access_step(other, key);
  if (step.other == NULL) {
    object_release(step.one);
    return -1;
  }
  if (one == other) object_retain(step.one);
  self->steps[self->count++] = step;
  return 0;
}

// Makes an array of the two paths. Returns own; NULL with an error.
static TVMFFIObject *equal_paths(const Equal *self)
{
  TVMFFIObject *one = access_root(), *other = access_root();
  for (size_t i = self->count; i-- > 0;) {
    one = access_extend(one, self->steps[i].one);
    other = access_extend(other, self->steps[i].other);
  }
  TVMFFIObject *paths = sequence_new(kTVMFFIArray, 2);
  if (one == NULL || other == NULL || paths == NULL) {
    if (paths == NULL) raise_out_of_memory();
    if (one != NULL) object_release(one);
    if (other != NULL) object_release(other);
    if (paths != NULL) object_release(paths);
    return NULL;
  }
  sequence_append(paths, any_object(one));
  sequence_append(paths, any_object(other));
  return paths;
}

//--------------------------------------------------------------------------------------------------
// What stands for what
//--------------------------------------------------------------------------------------------------

// Returns 0, and what stands for an object, NULL if nothing does; -1 with an error.
static int equal_mapped(Pairs *pairs, TVMFFIObject *object, TVMFFIObject **mapped)
{
  size_t number;
  if (pairs_note(pairs, object, NULL, &number) < 0) return -1;
  *mapped = pairs->pairs[number].made;
  return 0;
}

static int equal_map_one(Pairs *pairs, TVMFFIObject *object, TVMFFIObject *to)
{
  size_t number;
  if (pairs_note(pairs, object, NULL, &number) < 0) return -1;
  if (pairs->pairs[number].made != NULL) return 0;  // done meanwhile, by what the object holds
  object_retain(to);
  pairs->pairs[number].made = to;
  return 0;
}

// Has the objects stand for each other. Returns 1; -1 with an error.
static int equal_map(Equal *self, TVMFFIObject *one, TVMFFIObject *other)
{
  if (equal_map_one(&self->forward, one, other) != 0) return -1;
  return equal_map_one(&self->backward, other, one) != 0 ? -1 : 1;
}

// Tells whether the objects stand for each other. Returns 1 if so, 0 if one of them stands for
// another one, 2 if neither stands for any; -1 with an error.
static int equal_are_mapped(Equal *self, TVMFFIObject *one, TVMFFIObject *other)
{
  TVMFFIObject *right, *left;
  if (equal_mapped(&self->forward, one, &right) != 0) return -1;
  if (equal_mapped(&self->backward, other, &left) != 0) return -1;
  if (right == NULL && left == NULL) return 2;
  return right == other && left == one;
}

//--------------------------------------------------------------------------------------------------
// Values. All of these return 1 if they are equal, 0 if not, -1 with an error.
//--------------------------------------------------------------------------------------------------

static int equal_value(Equal *self, const TVMFFIAny *one, const TVMFFIAny *other);

// Compares what stands at a place on both sides.
static int equal_child(Equal *self, const TVMFFIAny *one, const TVMFFIAny *other, AccessKind kind,
                       const TVMFFIAny *key)
{
  int equal = equal_value(self, one, other);
  return equal == 0 ? equal_note(self, kind, kind, key) : equal;
}

static int equal_sequences(Equal *self, TVMFFIObject *one, TVMFFIObject *other)
{
  int64_t i = 0;
  for (; i < sequence_cell(one)->size && i < sequence_cell(other)->size; ++i) {
    TVMFFIAny left = children_hold(one, &sequence_values(one)[i]), key = any_int(i);
    TVMFFIAny right = children_hold(other, &sequence_values(other)[i]);
    int equal = equal_child(self, &left, &right, ACCESS_ARRAY_ITEM, &key);
    children_let_go(one, &left);
    children_let_go(other, &right);
    if (equal != 1) return equal;
  }
  int64_t left = sequence_cell(one)->size, right = sequence_cell(other)->size;
  TVMFFIAny key = any_int(i);
  if (left == right) return 1;
  return equal_note(self, left > right ? ACCESS_ARRAY_ITEM : ACCESS_ARRAY_ITEM_MISSING,
                    left > right ? ACCESS_ARRAY_ITEM_MISSING : ACCESS_ARRAY_ITEM, &key);
}

// Finds the entry of a map under what stands for a key of the other side.
// Returns 0; -1 with an error.
static int equal_find(Pairs *pairs, const MapObject *map, const TVMFFIAny *key,
                      const MapEntry **entry)
{
  TVMFFIAny due = *key;
  TVMFFIObject *mapped = NULL;
  uint64_t position;
  Key wanted;
  if (structural_is_mapped(key->type_index) && equal_mapped(pairs, key->v_obj, &mapped) != 0) {
    return -1;
  }
  if (mapped != NULL) due = any_object(mapped);
  key_read(&due, &wanted);
  if (map_find(map, &wanted, &position) != 0) return -1;
  *entry = map_entry(map, position);
  return 0;
}

static bool equal_texts(const TVMFFIAny *one, const TVMFFIAny *other)
{
  if (any_same(one, other)) return true;
  TVMFFIByteArray left = native_text(one), right = native_text(other);
  return left.size == right.size &&
         (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

// Tells whether an entry is certainly the one of a key: maps that were filled alike have their
// entries in the same order, and then none has to be searched for.
static bool equal_is_entry(const MapEntry *entry, const TVMFFIAny *key)
{
  if (entry == NULL) return false;
  if (native_is_string(key)) return native_is_string(&entry->key) && equal_texts(&entry->key, key);
  return key->type_index == kTVMFFIInt && any_same(&entry->key, key);
}

// Compares an entry with that of the other side.
// likely: the entry there that is tried first; may be NULL.
static int equal_entry(Equal *self, MapObject *one, const MapEntry *entry, MapObject *other,
                       const MapEntry *likely)
{
  const MapEntry *found = likely;
  MapEntry left = {children_hold(&one->header, &entry->key),
                   children_hold(&one->header, &entry->value)};
  int equal =
      equal_is_entry(likely, &left.key) ? 0 : equal_find(&self->forward, other, &left.key, &found);
  if (equal == 0 && found == NULL) {
    equal = equal_note(self, ACCESS_MAP_ITEM, ACCESS_MAP_ITEM_MISSING, &left.key);
  } else if (equal == 0) {
    TVMFFIAny right = children_hold(&other->header, &found->value);
    equal = equal_child(self, &left.value, &right, ACCESS_MAP_ITEM, &left.key);
    children_let_go(&other->header, &right);
  }
  children_let_go(&one->header, &left.key);
  children_let_go(&one->header, &left.value);
  return equal;
}

// Notes the key of an entry of the other side that the one has not.
static int equal_missing(Equal *self, const MapObject *one, const MapObject *other)
{
  for (uint64_t at = map_first(other);; at = map_next(other, at)) {
    const MapEntry *entry = map_entry(other, at), *found;
    if (entry == NULL) return 0;
    if (equal_find(&self->backward, one, &entry->key, &found) != 0) return -1;
    if (found != NULL) continue;
    return equal_note(self, ACCESS_MAP_ITEM_MISSING, ACCESS_MAP_ITEM, &entry->key);
  }
}

static int equal_maps(Equal *self, MapObject *one, MapObject *other)
{
  uint64_t there = map_first(other);
  for (uint64_t at = map_first(one);; at = map_next(one, at)) {
    const MapEntry *entry = map_entry(one, at);
    if (entry == NULL) break;
    int equal = equal_entry(self, one, entry, other, map_entry(other, there));
    if (equal != 1) return equal;
    if (there != MAP_NOWHERE) there = map_next(other, there);
  }
  return one->size == other->size ? 1 : equal_missing(self, one, other);
}

static int equal_tensors(const Equal *self, TVMFFIObject *one, TVMFFIObject *other)
{
  const DLTensor *left = (const DLTensor *)(one + 1), *right = (const DLTensor *)(other + 1);
  size_t size, other_size;
  if (one == other) return 1;
  if (left->ndim != right->ndim || memcmp(&left->dtype, &right->dtype, sizeof left->dtype) != 0) {
    return 0;
  }
  for (int32_t i = 0; i < left->ndim; ++i) {
    if (left->shape[i] != right->shape[i]) return 0;
  }
  if (self->skips_content) return 1;
  const void *data = structural_tensor(self->function, one, &size);
  const void *other_data =
      data == NULL ? NULL : structural_tensor(self->function, other, &other_size);
  if (other_data == NULL) return -1;
  return memcmp(data, other_data, size) == 0;
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

static int equal_fields(Equal *self, TVMFFISEqHashKind kind, TVMFFIObject *one, TVMFFIObject *other)
{
  FieldWalk walk = {.type = &type_find(one->type_index)->info};
  Region region = self->region;
  int equal = 1;
  for (const TVMFFIFieldInfo *field; equal == 1 && (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny left, right, key = {.type_index = kTVMFFIByteArrayPtr};
    if (field_get(field, one, &left) != 0) return -1;
    if (field_get(field, other, &right) != 0) {
      any_release(&left);
      return -1;
    }
    self->region = structural_region(region, kind, field);
    equal = equal_value(self, &left, &right);
    self->region = region;
    any_release(&left);
    any_release(&right);
    if (equal != 0 || !self->traces) continue;
    if (TVMFFIStringFromByteArray(&field->name, &key) != 0) return -1;
    equal = equal_note(self, ACCESS_ATTR, ACCESS_ATTR, &key);
    any_release(&key);
  }
  return equal;
}

// What the function gets that a type's own comparison calls for what objects hold. It may outlive
// the comparison.
typedef struct {
  Equal *equal;  // NULL once the comparison has ended
  size_t steps;  // that were noted before
} EqualNested;

static int equal_call_nested(void *handle, const TVMFFIAny *args, int32_t num_args,
                             TVMFFIAny *result)
{
  EqualNested *nested = handle;
  Equal *self = nested->equal;
  if (self == NULL || args == NULL || num_args != 4 || result == NULL ||
      (args[2].type_index != kTVMFFIInt && args[2].type_index != kTVMFFIBool)) {
    return raise_error(
        "TypeError",
        "__s_equal__: the comparison is called with two values, a region and a name, "
        "and only from within",
        NULL);
  }
  Region region = self->region;
  equal_forget(self, nested->steps);
  if (region != kTVMFFIDefRegionKindPattern) self->region = (Region)args[2].v_int64;
  TVMFFIAny one, other = any_none();
  if (any_own(&args[0], &one) != 0) return -1;
  int equal = any_own(&args[1], &other);
  if (equal == 0) {
    equal = native_is_string(&args[3]) ? equal_child(self, &one, &other, ACCESS_ATTR, &args[3])
                                       : equal_value(self, &one, &other);
  }
  any_release(&one);
  any_release(&other);
  self->region = region;
  if (equal < 0) return -1;
  *result = any_bool(equal);
  return 0;
}

static int equal_ask(Equal *self, const TVMFFIAny *callee, TVMFFIObject *one, TVMFFIObject *other)
{
  TVMFFIObjectHandle function;
  EqualNested *nested = malloc(sizeof *nested);
  if (nested == NULL) return raise_out_of_memory();
  *nested = (EqualNested){self, self->count};
  if (TVMFFIFunctionCreate(nested, equal_call_nested, free, &function) != 0) {
    free(nested);
    return -1;
  }
  TVMFFIAny args[] = {any_object(one), any_object(other), any_object(function)};
  TVMFFIAny result = any_none();
  size_t before = self->count;
  int code = nested_enter(self->here, self->function);
  if (code == 0) {
    code = TVMFFIFunctionCall(callee->v_obj, args, 3, &result);
    nested_leave(self->here);
  }
  nested->equal = NULL;
  object_release(function);
  if (code != 0) return -1;
  if (result.type_index != kTVMFFIBool && result.type_index != kTVMFFIInt) {
    any_release(&result);
    return raise_error("TypeError", self->function, ": __s_equal__ has not returned a bool", NULL);
  }
  if (result.v_int64 != 0) equal_forget(self, before);
  return result.v_int64 != 0;
}

static int equal_content(Equal *self, TVMFFISEqHashKind kind, TVMFFIObject *one,
                         TVMFFIObject *other)
{
  const TVMFFIAny *own = attribute_of(&own_equality, one->type_index);
  if (nested_descend(self->here, self->function) != 0) return -1;
  int equal = own != NULL && own->type_index == kTVMFFIFunction
                  ? equal_ask(self, own, one, other)
                  : equal_fields(self, kind, one, other);
  nested_ascend(self->here);
  return equal;
}

static int equal_objects(Equal *self, TVMFFIObject *one, TVMFFIObject *other)
{
  TVMFFISEqHashKind kind = structural_kind(one->type_index);
  int equal;
  switch (kind) {
    case kTVMFFISEqHashKindTreeNode:
      return equal_content(self, kind, one, other);
    case kTVMFFISEqHashKindConstTreeNode:
      return one == other ? 1 : equal_content(self, kind, one, other);
    case kTVMFFISEqHashKindUniqueInstance:
      return one == other;
    case kTVMFFISEqHashKindFreeVar:
    case kTVMFFISEqHashKindDAGNode:
      equal = equal_are_mapped(self, one, other);
      if (equal != 2) return equal;
      if (kind == kTVMFFISEqHashKindFreeVar && self->region == kTVMFFIDefRegionKindNone) {
        equal = one == other;
      } else {
        equal = equal_content(self, kind, one, other);
      }
      return equal == 1 ? equal_map(self, one, other) : equal;
    default:
      return structural_refuse(self->function, one->type_index);
  }
}

static bool equal_shapes(TVMFFIObject *one, TVMFFIObject *other)
{
  const TVMFFIShapeCell *left = (const TVMFFIShapeCell *)(one + 1);
  const TVMFFIShapeCell *right = (const TVMFFIShapeCell *)(other + 1);
  return left->size == right->size &&
         (left->size == 0 || memcmp(left->data, right->data, left->size * sizeof *left->data) == 0);
}

static int equal_nested(Equal *self, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int equal;
  if (nested_descend(self->here, self->function) != 0) return -1;
  if (children_is_sequence(one->type_index)) {
    equal = equal_sequences(self, one->v_obj, other->v_obj);
  } else {
    equal = equal_maps(self, (MapObject *)one->v_obj, (MapObject *)other->v_obj);
  }
  nested_ascend(self->here);
  return equal;
}

static int equal_value(Equal *self, const TVMFFIAny *one, const TVMFFIAny *other)
{
  switch (one->type_index) {  // strings and bytes are in a value or in an object
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return native_is_string(other) && equal_texts(one, other);
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return native_is_bytes(other) && equal_texts(one, other);
    default:
      break;
  }
  if (one->type_index != other->type_index) return 0;
  switch (one->type_index) {
    case kTVMFFIFloat:
      if (one->v_float64 != one->v_float64) return other->v_float64 != other->v_float64;
      return one->v_uint64 == other->v_uint64;
    case kTVMFFIShape:
      return equal_shapes(one->v_obj, other->v_obj);
    case kTVMFFIBigInt:
      return big_compare(one, other) == 0;
    case kTVMFFITensor:
      return equal_tensors(self, one->v_obj, other->v_obj);
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      return equal_nested(self, one, other);
    default:
      if (any_held(one) == NULL) return any_same(one, other);
      return equal_objects(self, one->v_obj, other->v_obj);
  }
}

//--------------------------------------------------------------------------------------------------
// The functions
//--------------------------------------------------------------------------------------------------

// Compares two views.
static int equal_run(Equal *self, const TVMFFIAny *one, const TVMFFIAny *other)
{
  TVMFFIAny left, right = any_none();
  if (any_own(one, &left) != 0) return -1;
  int equal = any_own(other, &right);
  if (equal == 0) equal = equal_value(self, &left, &right);
  any_release(&left);
  any_release(&right);
  return equal;
}

static void equal_end(Equal *self)
{
  equal_forget(self, 0);
  free(self->steps);
  pairs_end(&self->forward);
  pairs_end(&self->backward);
}

static Equal equal_begin(const NativeCall *call)
{
  bool maps = call->args[2].v_int64 != 0;
  return (Equal){.function = call->spec->name,
                 .here = nested_here(),
                 .skips_content = call->args[3].v_int64 != 0,
                 .region = maps ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone};
}

int structural_are_equal(const char *function, const TVMFFIAny *one, const TVMFFIAny *other)
{
  Equal self = {.function = function, .here = nested_here()};
  int equal = equal_run(&self, one, other);
  equal_end(&self);
  return equal;
}

int structural_equal(const NativeCall *call)
{
  Equal self = equal_begin(call);
  int equal = equal_run(&self, &call->args[0], &call->args[1]);
  equal_end(&self);
  return equal < 0 ? -1 : native_give(call, any_bool(equal));
}

int structural_mismatch(const NativeCall *call)
{
  Equal self = equal_begin(call);
  self.traces = true;
  int equal = equal_run(&self, &call->args[0], &call->args[1]);
  TVMFFIObject *paths = equal == 0 ? equal_paths(&self) : NULL;
  equal_end(&self);
  if (equal == 1) return native_give(call, any_none());
  return paths == NULL ? -1 : native_give(call, any_object(paths));
}
