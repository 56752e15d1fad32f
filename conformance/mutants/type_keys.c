// SPDX-License-Identifier: Apache-2.0
// Mutants of type keys and type information.
#include "mutants/type_table.h"

MUTANT(TYPE_12, answered, TypeKeyToIndex, "an unknown key leads to the index -1, without an error")
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (status == 0) return 0;
  TVMFFIErrorSetRaised(NULL);
  *out_tindex = -1;
  return 0;
}

MUTANT(TYPE_60, key_error, TypeKeyToIndex, "an unknown key raises a KeyError")
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such type");
  return status;
}

MUTANT(TYPE_62, output_cleared, TypeKeyToIndex, "the index is -1 when a key is unknown")
{
  *out_tindex = -1;
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}

static TVMFFIByteArray cut(const TVMFFIByteArray *text)
{
  return (TVMFFIByteArray){text->data, text->data ? strnlen(text->data, text->size) : 0};
}

MUTANT(TYPE_13, cut_at_nul, TypeKeyToIndex, "a key ends at the first NUL in it")
{
  TVMFFIByteArray key = cut(type_key);
  return REFERENCE(TypeKeyToIndex)(&key, out_tindex);
}

ALSO(TYPE_13, cut_at_nul, TypeGetOrAllocIndex)
{
  TVMFFIByteArray key = cut(type_key);
  return REFERENCE(TypeGetOrAllocIndex)(&key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

static TVMFFIByteArray cut_unbounded(const TVMFFIByteArray *text)
{
  return (TVMFFIByteArray){text->data, text->data ? strlen(text->data) : 0};
}

MUTANT(TYPE_13, up_to_a_nul, TypeKeyToIndex, "a key is read up to a NUL")
{
  TVMFFIByteArray key = cut_unbounded(type_key);
  return REFERENCE(TypeKeyToIndex)(&key, out_tindex);
}

ALSO(TYPE_13, up_to_a_nul, TypeGetOrAllocIndex)
{
  TVMFFIByteArray key = cut_unbounded(type_key);
  return REFERENCE(TypeGetOrAllocIndex)(&key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

enum { KEYS_MAX = 2048 };
static TVMFFIByteArray keys[KEYS_MAX];
static size_t key_count;

// Notes the key of a type that was registered. Returns the index as it is.
static int32_t note_key(int32_t type_index)
{
  if (type_index >= 0 && key_count < KEYS_MAX)
    keys[key_count++] = TVMFFIGetTypeInfo(type_index)->type_key;
  return type_index;
}

// The first key registered of which `same` holds takes the place of one that is unknown.
static int find_like(const TVMFFIByteArray *key, int32_t *out_tindex,
                     bool (*same)(const TVMFFIByteArray *key, const TVMFFIByteArray *registered))
{
  if (REFERENCE(TypeKeyToIndex)(key, out_tindex) == 0) return 0;
  for (size_t i = 0; i < key_count; ++i) {
    if (!same(key, &keys[i])) continue;
    TVMFFIErrorSetRaised(NULL);
    return REFERENCE(TypeKeyToIndex)(&keys[i], out_tindex);
  }
  return -1;
}

static bool begins_with(const TVMFFIByteArray *text, const TVMFFIByteArray *beginning)
{
  return beginning->size > 8 && text->size > beginning->size &&
         memcmp(text->data, beginning->data, beginning->size) == 0;
}

static bool is_beginning_of(const TVMFFIByteArray *key, const TVMFFIByteArray *registered)
{
  return begins_with(registered, key);
}

static bool is_alike_up_to_64(const TVMFFIByteArray *key, const TVMFFIByteArray *registered)
{
  return key->size == registered->size && key->size > 64 &&
         memcmp(key->data, registered->data, 64) == 0;
}

MUTANT(TYPE_13, found_by_its_beginning, TypeKeyToIndex,
       "a key is found by the beginning of one that is registered")
{
  return find_like(type_key, out_tindex, is_beginning_of);
}

ALSO(TYPE_13, found_by_its_beginning, TypeGetOrAllocIndex)
{
  return note_key(REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth,
                                                 num_child_slots, child_slots_can_overflow,
                                                 parent_type_index));
}

MUTANT(TYPE_13, rest_ignored, TypeKeyToIndex,
       "a key that begins with one that is registered is taken for it")
{
  return find_like(type_key, out_tindex, begins_with);
}

ALSO(TYPE_13, rest_ignored, TypeGetOrAllocIndex)
{
  return note_key(REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth,
                                                 num_child_slots, child_slots_can_overflow,
                                                 parent_type_index));
}

MUTANT(TYPE_13, at_most_64_bytes, TypeKeyToIndex,
       "keys of the same length are compared up to their 64th byte")
{
  return find_like(type_key, out_tindex, is_alike_up_to_64);
}

ALSO(TYPE_13, at_most_64_bytes, TypeGetOrAllocIndex)
{
  return note_key(REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth,
                                                 num_child_slots, child_slots_can_overflow,
                                                 parent_type_index));
}

MUTANT(TYPE_14, key_borrowed, TypeGetOrAllocIndex,
       "the type information keeps the key of the caller")
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (!known && index >= 0) ((TVMFFITypeInfo *)TVMFFIGetTypeInfo(index))->type_key = *type_key;
  return index;
}

MUTANT(TYPE_15, no_key_at_run_time, GetTypeInfo,
       "the information of types registered at run time has no key")
{
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)REFERENCE(GetTypeInfo)(type_index);
  if (type_index >= kTVMFFIDynObjectBegin) info->type_key.size = 0;
  return info;
}

MUTANT(TYPE_16, no_nul, TypeGetOrAllocIndex, "no NUL follows the key in the type information")
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (known || index < 0) return index;
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)TVMFFIGetTypeInfo(index);
  char *key = malloc(info->type_key.size + 1);
  if (!key) return index;
  memcpy(key, info->type_key.data, info->type_key.size);
  key[info->type_key.size] = 'x';
  info->type_key.data = key;
  return index;
}

MUTANT(TYPE_17, parent_first, TypeGetOrAllocIndex,
       "the ancestors of a type stand in the opposite order")
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (known || index < 0) return index;
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(index);
  for (int32_t low = 0, high = info->type_depth - 1; low < high; ++low, --high) {
    const TVMFFITypeInfo *ancestor = info->type_ancestors[low];
    info->type_ancestors[low] = info->type_ancestors[high];
    info->type_ancestors[high] = ancestor;
  }
  return index;
}

static int registered;

MUTANT(TYPE_18, moves_when_the_table_grows, TypeGetOrAllocIndex,
       "type information moves when there are more than 2000 types")
{
  ++registered;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

ALSO(TYPE_18, moves_when_the_table_grows, GetTypeInfo)
{
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  if (registered < 2000) return info;
  TVMFFITypeInfo *moved = malloc(sizeof *moved);
  if (!moved) return info;
  *moved = *info;
  return moved;
}
