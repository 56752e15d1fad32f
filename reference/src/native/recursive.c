// SPDX-License-Identifier: Apache-2.0
#include "native/recursive.h"

#include <string.h>

#include "container/key.h"
#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "core/any.h"

static bool recursive_is_sequence(int32_t type_index)
{
  return type_index == kTVMFFIArray || type_index == kTVMFFIList;
}

static bool recursive_is_map(int32_t type_index)
{
  return type_index == kTVMFFIMap || type_index == kTVMFFIDict;
}

// Returns the number of elements of a container.
static uint64_t recursive_size(TVMFFIObject *container)
{
  if (recursive_is_map(container->type_index)) return ((MapObject *)container)->size;
  return (uint64_t)sequence_cell(container)->size;
}

//--------------------------------------------------------------------------------------------------
// Equality. All of these return 1 for equal, or not known to differ yet; 0; -1 with an error.
//--------------------------------------------------------------------------------------------------

static int recursive_equal_shapes(TVMFFIObject *one, TVMFFIObject *other)
{
  const TVMFFIShapeCell *left = (const TVMFFIShapeCell *)(one + 1);
  const TVMFFIShapeCell *right = (const TVMFFIShapeCell *)(other + 1);
  return left->size == right->size &&
         (left->size == 0 || memcmp(left->data, right->data, left->size * sizeof *left->data) == 0);
}

// Compares two values; containers whose elements matter are noted.
static int recursive_equal_values(Pairs *pairs, const TVMFFIAny *one, const TVMFFIAny *other)
{
  int32_t type_index = one->type_index;
  if (any_same(one, other)) return 1;
  if (type_index == other->type_index) {
    size_t number;
    if (type_index == kTVMFFIFloat) {
      return one->v_float64 == other->v_float64 ||
             (one->v_float64 != one->v_float64 && other->v_float64 != other->v_float64);
    }
    if (type_index == kTVMFFIShape) return recursive_equal_shapes(one->v_obj, other->v_obj);
    if (recursive_is_sequence(type_index) || recursive_is_map(type_index)) {
      if (recursive_size(one->v_obj) != recursive_size(other->v_obj)) return 0;
      return pairs_note(pairs, one->v_obj, other->v_obj, &number) < 0 ? -1 : 1;
    }
  }
  Key key;
  key_read(one, &key);
  return key_equal(&key, other);
}

// An equality of foreign code may change what is compared, so both sides are kept meanwhile.
static int recursive_equal_kept(Pairs *pairs, const TVMFFIAny *one, const TVMFFIAny *other)
{
  TVMFFIAny left = any_share(one), right = any_share(other);
  int equal = recursive_equal_values(pairs, &left, &right);
  any_release(&left);
  any_release(&right);
  return equal;
}

static int recursive_equal_sequences(Pairs *pairs, TVMFFIObject *one, TVMFFIObject *other)
{
  int equal = 1;
  for (int64_t i = 0; equal == 1 && i < sequence_cell(one)->size; ++i) {
    if (i >= sequence_cell(other)->size) return 0;
    equal = recursive_equal_kept(pairs, &sequence_values(one)[i], &sequence_values(other)[i]);
  }
  return equal;
}

static int recursive_equal_maps(Pairs *pairs, MapObject *one, MapObject *other)
{
  int equal = 1;
  uint64_t at = map_first(one);
  for (const MapEntry *entry; equal == 1 && (entry = map_entry(one, at)) != NULL;
       at = map_next(one, at)) {
    Key key;
    uint64_t position;
    TVMFFIAny kept = any_share(&entry->key), value = any_share(&entry->value);
    key_read(&kept, &key);
    equal = map_find(other, &key, &position) == 0 ? 1 : -1;
    const MapEntry *found = equal < 0 ? NULL : map_entry(other, position);
    if (found != NULL) {
      equal = recursive_equal_kept(pairs, &value, &found->value);
    } else if (equal == 1) {
      equal = 0;
    }
    any_release(&kept);
    any_release(&value);
  }
  return equal;
}

int recursive_equal(const NativeCall *call)
{
  Pairs pairs = {0};
  TVMFFIAny one, other;
  if (any_own(&call->args[0], &one) != 0) return -1;
  if (any_own(&call->args[1], &other) != 0) {
    any_release(&one);
    return -1;
  }
  int equal = recursive_equal_values(&pairs, &one, &other);
  for (size_t i = 0; i < pairs.count && equal == 1; ++i) {
    TVMFFIObject *left = pairs.pairs[i].one, *right = pairs.pairs[i].other;
    equal = recursive_is_map(left->type_index)
                ? recursive_equal_maps(&pairs, (MapObject *)left, (MapObject *)right)
                : recursive_equal_sequences(&pairs, left, right);
  }
  pairs_end(&pairs);
  any_release(&one);
  any_release(&other);
  return equal < 0 ? -1 : native_give(call, any_bool(equal));
}

//--------------------------------------------------------------------------------------------------
// Hash. All of these return 0; -1 with an error.
//--------------------------------------------------------------------------------------------------

static uint64_t recursive_mix(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

// A container among the elements counts by its type and size, which ends the walk.
static int recursive_hash_element(const TVMFFIAny *value, uint64_t *hash)
{
  int32_t type_index = value->type_index;
  TVMFFIAny plain = *value;
  Key key;
  if (recursive_is_sequence(type_index) || recursive_is_map(type_index)) {
    *hash = recursive_mix((uint64_t)type_index, recursive_size(value->v_obj));
    return 0;
  }
  if (type_index == kTVMFFIShape) {
    const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(value->v_obj + 1);
    *hash = recursive_mix((uint64_t)type_index, cell->size);
    for (size_t i = 0; i < cell->size; ++i) *hash = recursive_mix(*hash, (uint64_t)cell->data[i]);
    return 0;
  }
  if (type_index == kTVMFFIFloat) {
    if (plain.v_float64 == 0) plain.v_float64 = 0;
    if (plain.v_float64 != plain.v_float64) plain.v_uint64 = UINT64_C(0x7ff8000000000000);
  }
  key_read(&plain, &key);
  int code = key_hash(&key);
  *hash = key.hash;
  return code;
}

static int recursive_hash_kept(const TVMFFIAny *value, uint64_t *hash)
{
  TVMFFIAny kept = any_share(value);
  int code = recursive_hash_element(&kept, hash);
  any_release(&kept);
  return code;
}

static int recursive_hash_sequence(TVMFFIObject *sequence, uint64_t *hash)
{
  for (int64_t i = 0; i < sequence_cell(sequence)->size; ++i) {
    uint64_t element;
    if (recursive_hash_kept(&sequence_values(sequence)[i], &element) != 0) return -1;
    *hash = recursive_mix(*hash, element);
  }
  return 0;
}

// The order of the entries must not matter. A container that is a key counts by identity.
static int recursive_hash_map(MapObject *map, uint64_t *hash)
{
  uint64_t at = map_first(map), sum = 0;
  for (const MapEntry *entry; (entry = map_entry(map, at)) != NULL; at = map_next(map, at)) {
    uint64_t value;
    Key key;
    TVMFFIAny kept = any_share(&entry->key);
    key_read(&kept, &key);
    int code = recursive_hash_kept(&entry->value, &value);
    if (code == 0) code = key_hash(&key);
    any_release(&kept);
    if (code != 0) return -1;
    sum += recursive_mix(key.hash, value);
  }
  *hash = recursive_mix(*hash, sum);
  return 0;
}

int recursive_hash(const NativeCall *call)
{
  TVMFFIAny value;
  uint64_t hash;
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = recursive_hash_element(&value, &hash);
  if (code == 0 && recursive_is_sequence(value.type_index)) {
    code = recursive_hash_sequence(value.v_obj, &hash);
  } else if (code == 0 && recursive_is_map(value.type_index)) {
    code = recursive_hash_map((MapObject *)value.v_obj, &hash);
  }
  any_release(&value);
  return code == 0 ? native_give(call, any_int((int64_t)hash)) : -1;
}
