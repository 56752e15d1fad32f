// SPDX-License-Identifier: Apache-2.0
// Most values are small: they are looked through by a function that calls itself. If that comes to
// no end soon, containers wait on a stack, each with the place where its walk goes on.
#include "frontend/device.h"

#include <stdlib.h>

#include "container/map.h"
#include "container/pairs.h"
#include "container/sequence.h"
#include "frontend/children.h"

typedef struct {
  Pairs met;
  Children *stack;
  size_t count, room;
} DeviceWalk;

static int device_push(DeviceWalk *walk, TVMFFIObject *container)
{
  size_t number;
  int is_new = pairs_note(&walk->met, container, NULL, &number);
  if (is_new <= 0) return is_new;
  if (walk->count == walk->room) {
    size_t room = walk->room == 0 ? 8 : walk->room * 2;
    Children *grown = realloc(walk->stack, room * sizeof *grown);
    if (grown == NULL) return raise_out_of_memory();
    walk->stack = grown;
    walk->room = room;
  }
  walk->stack[walk->count++] = children_of(container, 0);
  return 0;
}

// Returns whether a value is the tensor that is looked for.
static bool device_is(const TVMFFIAny *value, DLDevice *device)
{
  if (value->type_index != kTVMFFITensor || any_held(value) == NULL) return false;
  DLDevice found = ((const DLTensor *)(value->v_obj + 1))->device;
  if (found.device_type == kDLCPU) return false;
  *device = found;
  return true;
}

// Looks at a value. Returns 1 if it is the tensor that is looked for; 0; -1 with an error.
static int device_look(DeviceWalk *walk, const TVMFFIAny *value, DLDevice *device)
{
  if (device_is(value, device)) return 1;
  if (children_is_sequence(value->type_index) || children_is_map(value->type_index)) {
    return device_push(walk, value->v_obj);
  }
  return 0;
}

static int device_run(DeviceWalk *walk, const TVMFFIAny *value, DLDevice *device)
{
  int code = device_look(walk, value, device);
  while (code == 0 && walk->count > 0) {
    TVMFFIAny child;
    if (children_next(&walk->stack[walk->count - 1], &child) != 1) {
      --walk->count;
      continue;
    }
    code = device_look(walk, &child, device);
    any_release(&child);
  }
  return code;
}

enum { DEVICE_FEW = 1000, DEVICE_FLAT = 20 };

static inline bool device_concerns(const TVMFFIAny *value)
{
  return value->type_index == kTVMFFITensor || children_is_sequence(value->type_index) ||
         children_is_map(value->type_index);
}

// Looks through a value of few parts, in the same order. `left`: how many may still be looked at.
// Returns 1 if there is the tensor that is looked for, 0 if not; -1 if that isn't known.
static int device_look_quickly(const TVMFFIAny *value, DLDevice *device, int depth, int *left)
{
  int code = 0;
  if (device_is(value, device)) return 1;
  if (children_is_sequence(value->type_index)) {
    int64_t size = sequence_cell(value->v_obj)->size;
    if (depth == 0 || size > *left) return -1;
    *left -= (int)size;
    const TVMFFIAny *values = sequence_values(value->v_obj);
    for (int64_t i = 0; i < size && code == 0; ++i) {
      if (!device_concerns(&values[i])) continue;
      code = device_look_quickly(&values[i], device, depth - 1, left);
    }
  } else if (children_is_map(value->type_index)) {
    const MapObject *map = (const MapObject *)value->v_obj;
    if (depth == 0 || map->size > (uint64_t)*left) return -1;
    *left -= (int)map->size;
    for (uint64_t at = map_first(map); code == 0; at = map_next(map, at)) {
      const MapEntry *entry = map_entry(map, at);
      if (entry == NULL) break;
      const TVMFFIAny *both[] = {&entry->key, &entry->value};
      for (int i = 0; i < 2 && code == 0; ++i) {
        if (!device_concerns(both[i])) continue;
        code = device_look_quickly(both[i], device, depth - 1, left);
      }
    }
  }
  return code;
}

int device_find(const NativeCall *call)
{
  DeviceWalk walk = {0};
  TVMFFIAny value, result = {.type_index = kTVMFFIDevice};
  DLDevice device = {kDLCPU, 0};
  int left = DEVICE_FEW;
  int code = device_look_quickly(&call->args[0], &device, DEVICE_FLAT, &left);
  if (code < 0) {
    if (any_own(&call->args[0], &value) != 0) return -1;
    code = device_run(&walk, &value, &device);
    pairs_end(&walk.met);
    free(walk.stack);
    any_release(&value);
  }
  result.v_device = device;
  return code < 0 ? -1 : native_give(call, result);
}
