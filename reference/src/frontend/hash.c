// SPDX-License-Identifier: Apache-2.0
// The hash of an object is made of those of what it holds. Objects wait on a stack of their own, and
// each counts once. A value in which an object holds itself equals others of other sizes, so its
// hash is that of its type.
#include "frontend/hash.h"

#include <stdlib.h>

#include "container/key.h"
#include "container/pairs.h"
#include "frontend/children.h"
#include "frontend/nested.h"
#include "native/rows.h"
#include "type/attribute.h"

static Attribute hash_attribute = {ATTRIBUTE("__ffi_hash__")};
static Attribute equal_attribute = {ATTRIBUTE("__ffi_eq__")};
static Attribute compare_attribute = {ATTRIBUTE("__ffi_compare__")};

typedef struct {
  size_t number;
  Children children;
  uint64_t hash;  // so far; of a map the sum over the entries so far
  uint64_t key;   // of an entry of a map
} HashFrame;

// What is known of an object, by its number.
typedef struct {
  bool done;
  uint64_t hash;
} HashKnown;

typedef struct {
  const char *function;
  Pairs met;
  HashKnown *known;
  size_t known_room;
  HashFrame *frames;
  size_t count, room;
  bool cyclic;
} Hash;

static uint64_t hash_mix(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

//--------------------------------------------------------------------------------------------------
// Values. What is computed goes to `hash` and 1 is returned; 0 if an object was put onto the stack
// first; -1 with an error.
//--------------------------------------------------------------------------------------------------

static int hash_key(const TVMFFIAny *value, uint64_t *hash)
{
  TVMFFIAny plain = *value;
  Key key;
  if (plain.type_index == kTVMFFIFloat) {
    if (plain.v_float64 == 0) plain.v_float64 = 0;
    if (plain.v_float64 != plain.v_float64) plain.v_uint64 = UINT64_C(0x7ff8000000000000);
  }
  key_read(&plain, &key);
  if (key_hash(&key) != 0) return -1;
  *hash = key.hash;
  return 1;
}

static int hash_shape(TVMFFIObject *shape, uint64_t *hash)
{
  const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape + 1);
  *hash = hash_mix((uint64_t)kTVMFFIShape, cell->size);
  for (size_t i = 0; i < cell->size; ++i) *hash = hash_mix(*hash, (uint64_t)cell->data[i]);
  return 1;
}

static const NativeSpec hash_spec = {F1("ffi.RecursiveHash", hash_recursive, INT, ANY)};
static NativeFunction hash_function;

__attribute__((constructor(102))) static void hash_start(void)
{
  native_init(&hash_function, &hash_spec);
}

// Asks the type's own hash, which gets this one for what the object holds.
static int hash_ask(const Hash *self, const TVMFFIAny *callee, const TVMFFIAny *value,
                    uint64_t *hash)
{
  TVMFFIAny args[] = {*value, any_object(&hash_function.header)}, result = any_none();
  Nested *here = nested_here();
  if (nested_enter(here, self->function) != 0) return -1;
  int code = TVMFFIFunctionCall(callee->v_obj, args, 2, &result);
  nested_leave(here);
  if (code != 0) return -1;
  if (result.type_index != kTVMFFIInt && result.type_index != kTVMFFIBool) {
    any_release(&result);
    return raise_error("TypeError", self->function, ": a type's own hash has not returned an int",
                       NULL);
  }
  *hash = result.v_uint64;
  return 1;
}

static int hash_grow(Hash *self)
{
  if (self->count == self->room) {
    size_t room = self->room == 0 ? 8 : self->room * 2;
    HashFrame *grown = realloc(self->frames, room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    self->frames = grown;
    self->room = room;
  }
  if (self->known_room < self->met.room) {
    HashKnown *grown = realloc(self->known, self->met.room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    self->known = grown;
    self->known_room = self->met.room;
  }
  return 0;
}

static int hash_object(Hash *self, TVMFFIObject *object, uint64_t *hash)
{
  size_t number;
  int is_new = pairs_note(&self->met, object, NULL, &number);
  if (is_new < 0) return -1;
  if (is_new == 0) {
    self->cyclic = self->cyclic || !self->known[number].done;
    *hash = self->known[number].hash;
    return 1;
  }
  if (hash_grow(self) != 0) return -1;
  self->known[number] = (HashKnown){false, 0};
  int64_t skip = kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskCompareOff;
  HashFrame frame = {number, children_of(object, skip), (uint64_t)object->type_index, 0};
  if (frame.children.kind != CHILDREN_FIELDS) {
    frame.hash = hash_mix(frame.hash, children_count(object));
  }
  self->frames[self->count++] = frame;
  return 0;
}

static int hash_value(Hash *self, const TVMFFIAny *value, uint64_t *hash)
{
  int32_t type_index = value->type_index;
  if (type_index < kTVMFFIStaticObjectBegin || type_index == kTVMFFIStr ||
      type_index == kTVMFFIBytes || type_index == kTVMFFIBigInt) {
    return hash_key(value, hash);
  }
  if (type_index == kTVMFFIShape) return hash_shape(value->v_obj, hash);
  const TVMFFIAny *own = attribute_of(&hash_attribute, type_index);
  if (own != NULL && own->type_index == kTVMFFIFunction) return hash_ask(self, own, value, hash);
  if (attribute_of(&equal_attribute, type_index) != NULL ||
      attribute_of(&compare_attribute, type_index) != NULL) {
    return raise_error("ValueError", self->function,
                       ": a type has __ffi_eq__ or __ffi_compare__ but not __ffi_hash__", NULL);
  }
  return hash_object(self, value->v_obj, hash);
}

//--------------------------------------------------------------------------------------------------
// Content
//--------------------------------------------------------------------------------------------------

// The order of the entries of a map must not matter.
static void hash_take(HashFrame *frame, uint64_t hash)
{
  if (frame->children.kind == CHILDREN_MAP) {
    frame->hash += hash_mix(frame->key, hash);
  } else {
    frame->hash = hash_mix(frame->hash, hash);
  }
}

// A container or object that is a key counts by identity, as it does when it is looked up.
static int hash_step(Hash *self, uint64_t *hash)
{
  HashFrame *frame = &self->frames[self->count - 1];
  TVMFFIAny value;
  int has = children_next(&frame->children, &value);
  if (has < 0) return -1;
  if (has == 0) {
    *hash = hash_mix(frame->hash, (uint64_t)frame->children.object->type_index);
    self->known[frame->number] = (HashKnown){true, *hash};
    --self->count;
    return 1;
  }
  uint64_t made;
  bool is_key = frame->children.kind == CHILDREN_MAP && frame->children.value_is_next;
  int code = is_key ? hash_key(&value, &made) : hash_value(self, &value, &made);
  any_release(&value);  // `met` keeps what was put onto the stack
  if (code == 1 && is_key) frame->key = made;
  if (code == 1 && !is_key) hash_take(frame, made);
  return code < 0 ? -1 : 0;
}

static int hash_run(Hash *self, const TVMFFIAny *value, uint64_t *hash)
{
  int code = hash_value(self, value, hash);
  while (code == 0 || (code == 1 && self->count > 0 && !self->cyclic)) {
    if (code == 1) hash_take(&self->frames[self->count - 1], *hash);
    code = hash_step(self, hash);
    if (self->cyclic) break;
  }
  if (code >= 0 && self->cyclic) *hash = hash_mix((uint64_t)value->type_index, 1);
  return code < 0 ? -1 : 0;
}

int hash_recursive(const NativeCall *call)
{
  Hash self = {.function = call->spec->name};
  TVMFFIAny value;
  uint64_t hash = 0;
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = hash_run(&self, &value, &hash);
  pairs_end(&self.met);
  free(self.frames);
  free(self.known);
  any_release(&value);
  return code == 0 ? native_give(call, any_int((int64_t)hash)) : -1;
}
