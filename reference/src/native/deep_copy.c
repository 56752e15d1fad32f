// SPDX-License-Identifier: Apache-2.0
#include "native/deep_copy.h"

#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "core/any.h"
#include "core/raise.h"
#include "type/type.h"

// Each container that was met, and its copy, which is filled when its turn comes.
typedef struct {
  const NativeCall *call;
  Pairs met;
} DeepCopy;

static int deep_copy_refuse(const DeepCopy *copy, int32_t type_index)
{
  const Type *type = type_find(type_index);
  return raise_error(
      "RuntimeError", copy->call->spec->name, ": objects of type `",
      type == NULL ? raise_number(type_index).text : raise_name(&type->info.type_key).text,
      "` can't be copied; containers, and what is immutable, can", NULL);
}

// Makes an empty container with room for what is in another. Returns own; NULL with an error.
static TVMFFIObject *deep_copy_empty(TVMFFIObject *from)
{
  TVMFFIObject *made;
  if (from->type_index == kTVMFFIArray || from->type_index == kTVMFFIList) {
    made = sequence_new(from->type_index, sequence_cell(from)->size);
  } else {
    MapObject *map = map_new(from->type_index, ((MapObject *)from)->size);
    made = map == NULL ? NULL : &map->header;
  }
  if (made == NULL) raise_out_of_memory();
  return made;
}

// Gives what stands for a value in the copy.
// out: own, None on failure. Returns 0; -1 with an error.
static int deep_copy_value(DeepCopy *copy, const TVMFFIAny *value, TVMFFIAny *out)
{
  size_t number;
  *out = any_none();
  switch (value->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
      break;
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      *out = any_share(value);
      return 0;
    default:
      if (any_held(value) != NULL) return deep_copy_refuse(copy, value->type_index);
      *out = *value;
      return 0;
  }
  if (pairs_note(&copy->met, value->v_obj, NULL, &number) < 0) return -1;
  Pair *pair = &copy->met.pairs[number];
  if (pair->made == NULL) pair->made = deep_copy_empty(value->v_obj);
  if (pair->made == NULL) return -1;
  TVMFFIAny made = any_object(pair->made);
  *out = any_share(&made);
  return 0;
}

static int deep_copy_sequence(DeepCopy *copy, TVMFFIObject *from, TVMFFIObject *to)
{
  for (int64_t i = 0; i < sequence_cell(from)->size; ++i) {
    TVMFFIAny value;
    if (sequence_cell(to)->size == sequence_cell(to)->capacity) break;  // it has grown since
    if (deep_copy_value(copy, &sequence_values(from)[i], &value) != 0) return -1;
    sequence_append(to, value);
  }
  return 0;
}

static int deep_copy_map(DeepCopy *copy, MapObject *from, MapObject *to)
{
  for (uint64_t at = map_first(from);; at = map_next(from, at)) {
    const MapEntry *entry = map_entry(from, at);
    if (entry == NULL) return 0;
    MapEntry made = {any_none(), any_none()};
    int code = deep_copy_value(copy, &entry->key, &made.key);
    if (code == 0) code = deep_copy_value(copy, &entry->value, &made.value);
    if (code == 0) code = map_set(to, &made);
    any_release(&made.key);
    any_release(&made.value);
    if (code != 0) return -1;
  }
}

// Fills the copies, and those that are added meanwhile.
static int deep_copy_fill(DeepCopy *copy)
{
  int code = 0;
  for (size_t i = 0; i < copy->met.count && code == 0; ++i) {
    TVMFFIObject *from = copy->met.pairs[i].one, *to = copy->met.pairs[i].made;
    if (from->type_index == kTVMFFIArray || from->type_index == kTVMFFIList) {
      code = deep_copy_sequence(copy, from, to);
    } else {
      code = deep_copy_map(copy, (MapObject *)from, (MapObject *)to);
    }
  }
  return code;
}

// Empties what was made in vain, so that cycles in it come apart.
static void deep_copy_undo(DeepCopy *copy)
{
  for (size_t i = 0; i < copy->met.count; ++i) {
    TVMFFIObject *made = copy->met.pairs[i].made;
    if (made == NULL) continue;
    if (made->type_index == kTVMFFIMap || made->type_index == kTVMFFIDict) {
      map_clear((MapObject *)made);
      continue;
    }
    TVMFFISeqCell *cell = sequence_cell(made);
    while (cell->size > 0) any_release(&sequence_values(made)[--cell->size]);
  }
}

int deep_copy(const NativeCall *call)
{
  DeepCopy copy = {.call = call};
  TVMFFIAny value, made = any_none();
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = deep_copy_value(&copy, &value, &made);
  if (code == 0) code = deep_copy_fill(&copy);
  if (code != 0) {
    deep_copy_undo(&copy);
    any_release(&made);
  }
  pairs_end(&copy.met);
  any_release(&value);
  return code == 0 ? native_give(call, made) : -1;
}
