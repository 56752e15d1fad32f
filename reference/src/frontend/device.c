// SPDX-License-Identifier: Apache-2.0
// Containers wait on a stack, each with the place where its walk goes on.
#include "frontend/device.h"

#include <stdlib.h>

#include "container/pairs.h"
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

// Looks at a value. Returns 1 if it is the tensor that is looked for; 0; -1 with an error.
static int device_look(DeviceWalk *walk, const TVMFFIAny *value, DLDevice *device)
{
  if (value->type_index == kTVMFFITensor && any_held(value) != NULL) {
    DLDevice found = ((const DLTensor *)(value->v_obj + 1))->device;
    if (found.device_type == kDLCPU) return 0;
    *device = found;
    return 1;
  }
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

int device_find(const NativeCall *call)
{
  DeviceWalk walk = {0};
  TVMFFIAny value, result = {.type_index = kTVMFFIDevice};
  DLDevice device = {kDLCPU, 0};
  if (any_own(&call->args[0], &value) != 0) return -1;
  int code = device_run(&walk, &value, &device);
  pairs_end(&walk.met);
  free(walk.stack);
  any_release(&value);
  result.v_device = device;
  return code < 0 ? -1 : native_give(call, result);
}
