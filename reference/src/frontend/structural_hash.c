// SPDX-License-Identifier: Apache-2.0
// Variables that are defined, and nodes of graphs, count by their place in the order in which they
// are met. So that equal maps are walked in the same order, entries are taken in the order of the
// hashes of their keys; values under keys of the same hash do not count.
#include "frontend/structural_hash.h"

#include <stdlib.h>
#include <string.h>

#include "container/key.h"
#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "frontend/children.h"
#include "frontend/nested.h"
#include "frontend/structural.h"
#include "type/attribute.h"

static Attribute own_hash = {ATTRIBUTE("__s_hash__")};

typedef struct {
  bool done;
  uint64_t hash;
} HashMet;

typedef struct {
  const char *function;
  Nested *here;  // borrow: how deep the thread is
  bool skips_content;
  Region region;
  Pairs pairs;   // objects that stand for themselves
  HashMet *met;  // by their numbers
  size_t met_room;
  uint64_t places;  // that have been given out
} Hash;

static uint64_t hash_mix(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
  const unsigned char *at = data;
  uint64_t word;
  hash = hash_mix(hash, size);
  for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = hash_mix(hash, word);
  }
  word = 0;
  if (size > 0) memcpy(&word, at, size);
  return hash_mix(hash, word);
}

//--------------------------------------------------------------------------------------------------
// Values. All of these return 0 and the hash; -1 with an error.
//--------------------------------------------------------------------------------------------------

static int hash_value(Hash *self, const TVMFFIAny *value, uint64_t *hash);

// Mixes in the hash of a value.
static int hash_child(Hash *self, const TVMFFIAny *value, uint64_t *hash)
{
  uint64_t own;
  if (hash_value(self, value, &own) != 0) return -1;
  *hash = hash_mix(*hash, own);
  return 0;
}

static int hash_sequence(Hash *self, TVMFFIObject *sequence, uint64_t *hash)
{
  *hash = hash_mix((uint64_t)sequence->type_index, (uint64_t)sequence_cell(sequence)->size);
  for (int64_t i = 0; i < sequence_cell(sequence)->size; ++i) {
    TVMFFIAny value = any_share(&sequence_values(sequence)[i]);
    int code = hash_child(self, &value, hash);
    any_release(&value);
    if (code != 0) return -1;
  }
  return 0;
}

typedef struct {
  uint64_t key;
  TVMFFIAny value;  // own
} HashEntry;

static int hash_order(const void *one, const void *other)
{
  const HashEntry *left = one, *right = other;
  return left->key < right->key ? -1 : left->key > right->key;
}

// Objects as keys, integers excepted, are the same object on both sides, or stand for each other.
static int hash_key(Hash *self, const TVMFFIAny *key, uint64_t *hash)
{
  size_t number;
  bool by_content =
      native_is_string(key) || native_is_bytes(key) || key->type_index == kTVMFFIBigInt;
  if (any_held(key) == NULL || by_content) return hash_value(self, key, hash);
  *hash = (uint64_t)key->type_index;
  if (!structural_is_mapped(key->type_index)) return 0;
  int is_new = pairs_note(&self->pairs, key->v_obj, NULL, &number);
  if (is_new < 0) return -1;
  if (is_new == 0 && number < self->met_room && self->met[number].done) {
    *hash = self->met[number].hash;
  }
  return 0;
}

static int hash_entries(Hash *self, HashEntry *entries, size_t count, uint64_t *hash)
{
  qsort(entries, count, sizeof *entries, hash_order);
  for (size_t i = 0; i < count; ++i) {
    bool twin = (i > 0 && entries[i - 1].key == entries[i].key) ||
                (i + 1 < count && entries[i + 1].key == entries[i].key);
    *hash = hash_mix(*hash, entries[i].key);
    if (!twin && hash_child(self, &entries[i].value, hash) != 0) return -1;
  }
  return 0;
}

static int hash_map(Hash *self, MapObject *map, uint64_t *hash)
{
  size_t count = 0, room = (size_t)map->size;
  HashEntry *entries = malloc((room + 1) * sizeof *entries);
  if (entries == NULL) return raise_out_of_memory();
  *hash = hash_mix((uint64_t)map->header.type_index, map->size);
  int code = 0;
  for (uint64_t at = map_first(map); code == 0 && count < room; at = map_next(map, at)) {
    const MapEntry *entry = map_entry(map, at);
    if (entry == NULL) break;
    code = hash_key(self, &entry->key, &entries[count].key);
    entries[count++].value = any_share(&entry->value);
  }
  if (code == 0) code = hash_entries(self, entries, count, hash);
  for (size_t i = 0; i < count; ++i) any_release(&entries[i].value);
  free(entries);
  return code;
}

static int hash_tensor(const Hash *self, TVMFFIObject *object, uint64_t *hash)
{
  const DLTensor *tensor = (const DLTensor *)(object + 1);
  size_t size = 0;
  uint64_t dtype =
      (uint64_t)tensor->dtype.code << 32 | (uint64_t)tensor->dtype.bits << 16 | tensor->dtype.lanes;
  *hash = hash_mix(hash_mix((uint64_t)kTVMFFITensor, dtype), (uint64_t)tensor->ndim);
  for (int32_t i = 0; i < tensor->ndim; ++i) *hash = hash_mix(*hash, (uint64_t)tensor->shape[i]);
  if (self->skips_content) return 0;
  const void *data = structural_tensor(self->function, object, &size);
  if (data == NULL) return -1;
  *hash = hash_bytes(*hash, data, size);
  return 0;
}

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

static int hash_fields(Hash *self, TVMFFISEqHashKind kind, TVMFFIObject *object, uint64_t *hash)
{
  FieldWalk walk = {.type = &type_find(object->type_index)->info};
  Region region = self->region;
  int code = 0;
  for (const TVMFFIFieldInfo *field; code == 0 && (field = structural_next(&walk)) != NULL;) {
    TVMFFIAny value;
    if (field_get(field, object, &value) != 0) return -1;
    self->region = structural_region(region, kind, field);
    code = hash_child(self, &value, hash);
    self->region = region;
    any_release(&value);
  }
  return code;
}

// What the function gets that a type's own hash calls for what objects hold. It may outlive the
// computation.
typedef struct {
  Hash *hash;  // NULL once it has ended
} HashNested;

static int hash_call_nested(void *handle, const TVMFFIAny *args, int32_t num_args,
                            TVMFFIAny *result)
{
  Hash *self = ((HashNested *)handle)->hash;
  if (self == NULL || args == NULL || num_args != 3 || result == NULL ||
      args[1].type_index != kTVMFFIInt ||
      (args[2].type_index != kTVMFFIInt && args[2].type_index != kTVMFFIBool)) {
    return raise_error("TypeError",
                       "__s_hash__: the hash is called with a value, a hash and a region, and only "
                       "from within",
                       NULL);
  }
  Region region = self->region;
  uint64_t hash = args[1].v_uint64;
  TVMFFIAny value;
  if (any_own(&args[0], &value) != 0) return -1;
  if (region != kTVMFFIDefRegionKindPattern) self->region = (Region)args[2].v_int64;
  int code = hash_child(self, &value, &hash);
  self->region = region;
  any_release(&value);
  if (code != 0) return -1;
  *result = any_int((int64_t)hash);
  return 0;
}

static int hash_ask(Hash *self, const TVMFFIAny *callee, TVMFFIObject *object, uint64_t *hash)
{
  TVMFFIObjectHandle function;
  HashNested *nested = malloc(sizeof *nested);
  if (nested == NULL) return raise_out_of_memory();
  nested->hash = self;
  if (TVMFFIFunctionCreate(nested, hash_call_nested, free, &function) != 0) {
    free(nested);
    return -1;
  }
  TVMFFIAny args[] = {any_object(object), any_int((int64_t)*hash), any_object(function)};
  TVMFFIAny result = any_none();
  int code = nested_enter(self->here, self->function);
  if (code == 0) {
    code = TVMFFIFunctionCall(callee->v_obj, args, 3, &result);
    nested_leave(self->here);
  }
  nested->hash = NULL;
  object_release(function);
  if (code != 0) return -1;
  if (result.type_index != kTVMFFIInt) {
    any_release(&result);
    return raise_error("TypeError", self->function, ": __s_hash__ has not returned an int", NULL);
  }
  *hash = result.v_uint64;
  return 0;
}

static int hash_content(Hash *self, TVMFFISEqHashKind kind, TVMFFIObject *object, uint64_t *hash)
{
  const TVMFFIAny *own = attribute_of(&own_hash, object->type_index);
  if (nested_descend(self->here, self->function) != 0) return -1;
  *hash = hash_mix((uint64_t)object->type_index, (uint64_t)kind);
  int code = own != NULL && own->type_index == kTVMFFIFunction
                 ? hash_ask(self, own, object, hash)
                 : hash_fields(self, kind, object, hash);
  nested_ascend(self->here);
  return code;
}

static int hash_grow(Hash *self)
{
  size_t room = self->pairs.room;
  if (self->met_room >= room) return 0;
  HashMet *grown = realloc(self->met, room * sizeof *grown);
  if (grown == NULL) return raise_out_of_memory();
  memset(grown + self->met_room, 0, (room - self->met_room) * sizeof *grown);
  self->met = grown;
  self->met_room = room;
  return 0;
}

// Hashes a variable or a node of a graph: by its content and its place when it is first met, then as
// it was.
static int hash_mapped(Hash *self, TVMFFISEqHashKind kind, TVMFFIObject *object, uint64_t *hash)
{
  size_t number;
  if (pairs_note(&self->pairs, object, NULL, &number) < 0) return -1;
  if (hash_grow(self) != 0) return -1;
  if (self->met[number].done) {
    *hash = self->met[number].hash;
    return 0;
  }
  if (kind == kTVMFFISEqHashKindFreeVar && self->region == kTVMFFIDefRegionKindNone) {
    *hash = hash_mix((uint64_t)object->type_index, (uint64_t)(uintptr_t)object);
  } else {
    if (hash_content(self, kind, object, hash) != 0) return -1;
    *hash = hash_mix(*hash, ++self->places);
  }
  if (hash_grow(self) != 0) return -1;
  self->met[number] = (HashMet){true, *hash};
  return 0;
}

static int hash_object(Hash *self, TVMFFIObject *object, uint64_t *hash)
{
  TVMFFISEqHashKind kind = structural_kind(object->type_index);
  switch (kind) {
    case kTVMFFISEqHashKindTreeNode:
    case kTVMFFISEqHashKindConstTreeNode:
      return hash_content(self, kind, object, hash);
    case kTVMFFISEqHashKindUniqueInstance:
      *hash = hash_mix((uint64_t)object->type_index, (uint64_t)(uintptr_t)object);
      return 0;
    case kTVMFFISEqHashKindFreeVar:
    case kTVMFFISEqHashKindDAGNode:
      return hash_mapped(self, kind, object, hash);
    default:
      return structural_refuse(self->function, object->type_index);
  }
}

static int hash_nested(Hash *self, TVMFFIObject *object, uint64_t *hash)
{
  if (nested_descend(self->here, self->function) != 0) return -1;
  int code = children_is_sequence(object->type_index) ? hash_sequence(self, object, hash)
                                                      : hash_map(self, (MapObject *)object, hash);
  nested_ascend(self->here);
  return code;
}

static uint64_t hash_shape(TVMFFIObject *shape)
{
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape + 1);
  return hash_bytes((uint64_t)kTVMFFIShape, cell->data, cell->size * sizeof *cell->data);
}

static int hash_big(const TVMFFIAny *value, uint64_t *hash)
{
  Key key;
  key_read(value, &key);
  if (key_hash(&key) != 0) return -1;
  *hash = hash_mix((uint64_t)kTVMFFIBigInt, key.hash);
  return 0;
}

static int hash_value(Hash *self, const TVMFFIAny *value, uint64_t *hash)
{
  bool string = native_is_string(value);
  if (string || native_is_bytes(value)) {
    TVMFFIByteArray text = native_text(value);
    *hash = hash_bytes((uint64_t)(string ? kTVMFFIStr : kTVMFFIBytes), text.data, text.size);
    return 0;
  }
  switch (value->type_index) {
    case kTVMFFIFloat:
      *hash = hash_mix((uint64_t)kTVMFFIFloat,
                       value->v_float64 == value->v_float64 ? value->v_uint64 : 1);
      return 0;
    case kTVMFFIShape:
      *hash = hash_shape(value->v_obj);
      return 0;
    case kTVMFFIBigInt:
      return hash_big(value, hash);
    case kTVMFFITensor:
      return hash_tensor(self, value->v_obj, hash);
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      return hash_nested(self, value->v_obj, hash);
    default:
      if (any_held(value) != NULL) return hash_object(self, value->v_obj, hash);
      *hash = hash_mix((uint64_t)value->type_index, value->v_uint64);
      return 0;
  }
}

//--------------------------------------------------------------------------------------------------
// The functions
//--------------------------------------------------------------------------------------------------

static int hash_run(Hash *self, const TVMFFIAny *value, uint64_t *hash)
{
  TVMFFIAny owned;
  if (any_own(value, &owned) != 0) return -1;
  int code = hash_value(self, &owned, hash);
  any_release(&owned);
  pairs_end(&self->pairs);
  free(self->met);
  return code;
}

int structural_hash_of(const char *function, const TVMFFIAny *value, uint64_t *hash)
{
  Hash self = {.function = function, .here = nested_here()};
  return hash_run(&self, value, hash);
}

int structural_hash(const NativeCall *call)
{
  bool maps = call->args[1].v_int64 != 0;
  Hash self = {.function = call->spec->name,
               .here = nested_here(),
               .skips_content = call->args[2].v_int64 != 0,
               .region = maps ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone};
  uint64_t hash;
  if (hash_run(&self, &call->args[0], &hash) != 0) return -1;
  return native_give(call, any_int((int64_t)hash));
}
