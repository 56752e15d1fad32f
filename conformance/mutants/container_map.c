// SPDX-License-Identifier: Apache-2.0
// Mutants of maps and of the keys that they find.
#include "mutants/container_body.h"

// Takes some keys of a map for others, also where they are looked up. The block changes `key` and
// returns it.
typedef TVMFFIAny (*KeyTakenFor)(TVMFFIAny key);

static int make_map_with(KeyTakenFor taken_for, void *original, const TVMFFIAny *args,
                         int32_t num_args, TVMFFIAny *result)
{
  static TVMFFIAny pairs[8192];
  if (num_args > 8192) return ORIGINAL(args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) pairs[i] = i % 2 ? args[i] : taken_for(args[i]);
  return ORIGINAL(pairs, num_args, result);
}

static int look_up_with(KeyTakenFor taken_for, void *original, const TVMFFIAny *args,
                        int32_t num_args, TVMFFIAny *result)
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], taken_for(args[1])};
  return ORIGINAL(other, 2, result);
}

#define MUTANT_KEYS(clause, name, title)                                \
  static TVMFFIAny name##_key(TVMFFIAny key);                           \
  MUTANT_REGISTERED(clause, name, "ffi.Map", title)                     \
  {                                                                     \
    return make_map_with(name##_key, original, args, num_args, result); \
  }                                                                     \
  ALSO_REGISTERED(clause, name, "ffi.MapCount")                         \
  {                                                                     \
    return look_up_with(name##_key, original, args, num_args, result);  \
  }                                                                     \
  ALSO_REGISTERED(clause, name, "ffi.MapGetItem")                       \
  {                                                                     \
    return look_up_with(name##_key, original, args, num_args, result);  \
  }                                                                     \
  static TVMFFIAny name##_key(TVMFFIAny key)

MUTANT_REGISTERED(CON_31, none_is_no_key, "ffi.Map", "None cannot be a key")
{
  for (int32_t i = 0; i < num_args; i += 2)
    if (args[i].type_index == kTVMFFINone) return fail("TypeError", "None is no key");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_31, size_is_room, "ffi.MapSize",
                  "the size of a small map is the room that it has")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && map_body(&args[0])->slots & SMALL)
    result->v_int64 = (int64_t)(map_body(&args[0])->slots & ~SMALL);
  return status;
}

MUTANT_REGISTERED(CON_32, none_as_value, "ffi.Map", "a key without a value leads to None")
{
  TVMFFIAny pairs[64];
  if (num_args % 2 == 0 || num_args > 63) return ORIGINAL(args, num_args, result);
  memcpy(pairs, args, (size_t)num_args * sizeof *pairs);
  memset(&pairs[num_args], 0, sizeof *pairs);
  return ORIGINAL(pairs, num_args + 1, result);
}

MUTANT_REGISTERED(CON_32, type_error, "ffi.Dict", "a key without a value is a TypeError")
{
  if (num_args % 2 != 0) return fail("TypeError", "a value is missing");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_33, first_value_counts, "ffi.Map", "of equal keys the first value counts")
{
  TVMFFIAny pairs[64];
  if (num_args > 64) return ORIGINAL(args, num_args, result);
  memcpy(pairs, args, (size_t)num_args * sizeof *pairs);
  for (int32_t i = 0; i + 1 < num_args; i += 2)
    for (int32_t j = i - 2; j >= 0; j -= 2)
      if (memcmp(&pairs[i], &pairs[j], sizeof *pairs) == 0) pairs[i + 1] = pairs[j + 1];
  return ORIGINAL(pairs, num_args, result);
}

MUTANT_REGISTERED(CON_34, index_error, "ffi.MapGetItem", "a key that a map lacks is an IndexError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIMap) return status;
  return fail("IndexError", "no such key");
}

MUTANT_REGISTERED(CON_34, none_instead, "ffi.MapGetItem", "a key that a map lacks leads to None")
{
  TVMFFIAny count = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIMap &&
      registered_call_by_name("ffi.MapCount", args, 2, &count) == 0 && count.v_int64 == 0) {
    memset(result, 0, sizeof *result);
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_35, none_for_missing, "ffi.MapGetItemOrMissing",
                  "a key that a map lacks gives None")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIObject) return status;
  TVMFFIObjectDecRef(result->v_obj);
  memset(result, 0, sizeof *result);
  return 0;
}

static int walk(void *functor, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(functor, args, num_args, result);
  if (status == 0 && num_args == 1 && args[0].v_int64 == 2) result->v_int64 = 1;
  return status;
}

static void end_walk(void *functor)
{
  TVMFFIObjectDecRef(functor);
}

MUTANT_REGISTERED(CON_36, goes_on_and_on, "ffi.MapForwardIterFunctor",
                  "a walk does not say that it has come to its end")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, walk, end_walk, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

static int compare(const void *left, const void *right)
{
  int64_t a = ((const TVMFFIAny *)left)->v_int64, b = ((const TVMFFIAny *)right)->v_int64;
  return a < b ? -1 : a > b;
}

MUTANT_REGISTERED(CON_36, sorted, "ffi.Map",
                  "a map of integers is walked through by the size of its keys")
{
  static TVMFFIAny sorted[8192];
  if (num_args % 2 != 0 || num_args > 8192) return ORIGINAL(args, num_args, result);
  for (int32_t i = 0; i < num_args; i += 2)
    if (args[i].type_index != kTVMFFIInt) return ORIGINAL(args, num_args, result);
  memcpy(sorted, args, (size_t)num_args * sizeof *sorted);
  qsort(sorted, (size_t)num_args / 2, 2 * sizeof *sorted, compare);
  return ORIGINAL(sorted, num_args, result);
}

MUTANT_REGISTERED(CON_37, at_most_1024, "ffi.Map", "a map has room for 1024 keys")
{
  return ORIGINAL(args, num_args > 2048 ? 2048 : num_args, result);
}

MUTANT_KEYS(CON_38, bools_are_integers, "true is the key that 1 is")
{
  if (key.type_index == kTVMFFIBool) key.type_index = kTVMFFIInt;
  return key;
}

MUTANT_KEYS(CON_38, bytes_are_texts, "bytes are the key that a text of the same content is")
{
  if (key.type_index == kTVMFFISmallBytes) key.type_index = kTVMFFISmallStr;
  return key;
}

MUTANT_KEYS(CON_39, lower_half, "keys that are integers have 32 bits")
{
  if (key.type_index == kTVMFFIInt) key.v_int64 = (int32_t)key.v_int64;
  return key;
}

MUTANT_KEYS(CON_39, one_nan, "all NaNs are one key")
{
  if (key.type_index == kTVMFFIFloat && key.v_float64 != key.v_float64)
    key.v_uint64 = UINT64_C(0x7ff8000000000000);
  return key;
}

MUTANT_KEYS(CON_39, one_zero, "0.0 and -0.0 are one key")
{
  if (key.type_index == kTVMFFIFloat && key.v_float64 == 0) key.v_float64 = 0;
  return key;
}

MUTANT_REGISTERED(CON_40, short_object_is_another, "ffi.MapCount",
                  "a short text in an object is not the key that a small string is")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[1].type_index == kTVMFFIStr &&
      ((TVMFFIByteArray *)(args[1].v_obj + 1))->size < 8)
    result->v_int64 = 0;
  return status;
}

MUTANT_KEYS(CON_40, up_to_a_nul, "texts are compared up to a NUL")
{
  if (key.type_index == kTVMFFISmallStr) {
    size_t size = strnlen(key.v_bytes, key.small_str_len);
    memset(key.v_bytes + size, 0, sizeof key.v_bytes - size);
    key.small_str_len = (uint32_t)size;
  }
  return key;
}

static int same_shape(const TVMFFIAny *left, const TVMFFIAny *right)
{
  if (left->type_index != kTVMFFIShape || right->type_index != kTVMFFIShape) return 0;
  TVMFFIShapeCell *a = (TVMFFIShapeCell *)(left->v_obj + 1);
  TVMFFIShapeCell *b = (TVMFFIShapeCell *)(right->v_obj + 1);
  return a->size == b->size && memcmp(a->data, b->data, a->size * sizeof *a->data) == 0;
}

MUTANT_REGISTERED(CON_41, shapes_by_content, "ffi.MapCount",
                  "two shapes of equal content are one key")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !(map_body(&args[0])->slots & SMALL)) return status;
  const MapEntry *entries = map_body(&args[0])->data;
  for (uint64_t i = 0; i < map_body(&args[0])->size; ++i)
    if (same_shape(&entries[i].key, &args[1])) result->v_int64 = 1;
  return 0;
}

MUTANT_REGISTERED(CON_42, address_decides, "ffi.MapCount",
                  "objects of all types are compared by their address")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[1].type_index < kTVMFFIDynObjectBegin ||
      !(map_body(&args[0])->slots & SMALL))
    return status;
  const MapEntry *entries = map_body(&args[0])->data;
  result->v_int64 = 0;
  for (uint64_t i = 0; i < map_body(&args[0])->size; ++i)
    if (entries[i].key.v_obj == args[1].v_obj) result->v_int64 = 1;
  return 0;
}

MUTANT_REGISTERED(CON_43, too_little_room, "ffi.Map",
                  "a small map says that it has room for one entry")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && map_body(result)->slots & SMALL) map_body(result)->slots = SMALL | 1;
  return status;
}

MUTANT_REGISTERED(CON_44, last_not_kept, "ffi.Map", "a dense map does not know its last item")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !(map_body(result)->slots & SMALL))
    map_body(result)->last = map_body(result)->first;
  return status;
}

MUTANT_REGISTERED(CON_44, no_way_back, "ffi.Map", "the items of a dense map do not lead back")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  MapBody *body = map_body(result);
  if (body->slots & SMALL) return 0;
  for (uint64_t i = body->first; i != NONE; i = map_item(body, i)->next)
    map_item(body, i)->previous = NONE;
  return 0;
}

static void turn(const TVMFFIAny *map)
{
  if (map->type_index == kTVMFFIMap && !(map_body(map)->slots & SMALL))
    map_body(map)->shift = 64 - map_body(map)->shift;
}

MUTANT_REGISTERED(CON_45, logarithm_instead, "ffi.Map",
                  "where the shift should be stands the logarithm of the number of slots")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) turn(result);
  return status;
}

static int call_turned(void *original, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny map = {.type_index = kTVMFFINone};
  if (num_args > 0) map = args[0];
  turn(&map);
  int status = ORIGINAL(args, num_args, result);
  turn(&map);
  return status;
}

ALSO_REGISTERED(CON_45, logarithm_instead, "ffi.MapCount")
{
  return call_turned(original, args, num_args, result);
}

ALSO_REGISTERED(CON_45, logarithm_instead, "ffi.MapGetItem")
{
  return call_turned(original, args, num_args, result);
}

ALSO_REGISTERED(CON_45, logarithm_instead, "ffi.MapGetItemOrMissing")
{
  return call_turned(original, args, num_args, result);
}

static int has_far_jump(const TVMFFIAny *dict)
{
  if (dict->type_index != kTVMFFIDict || map_body(dict)->slots & SMALL) return 0;
  const unsigned char *data = map_body(dict)->data;
  for (uint64_t slot = 0; slot < map_body(dict)->slots; ++slot) {
    unsigned char byte = data[slot / 16 * (16 + 16 * 48) + slot % 16];
    if (byte < 254 && (byte & 127) > 15) return 1;
  }
  return 0;
}

MUTANT_REGISTERED(CON_45, near_jumps_only, "ffi.DictCount",
                  "a dict in which a jump leads further than 15 slots is searched no further")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && has_far_jump(&args[0])) result->v_int64 = 0;
  return status;
}

MUTANT_REGISTERED(CON_66, error_lost, "ffi.DictCount",
                  "a dict whose keys can't be compared has no such key")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict) return status;
  TVMFFIErrorSetRaised(NULL);
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}

MUTANT_REGISTERED(CON_67, failure_is_absence, "ffi.DictGetItemOrMissing",
                  "a key that can't be compared is missing")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict) return status;
  TVMFFIErrorSetRaised(NULL);
  return registered_call_by_name("ffi.GetInvalidObject", NULL, 0, result);
}
