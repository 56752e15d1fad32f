// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel_place.h"

#include "battery/access.h"
#include "kernel/kernel_held.h"
#include "kernel/kernel_value.h"

enum { TRIES = 64, SMALL_TEXT = 7 };

bool kernel_has_place(const KernelParameter *parameter)
{
  switch (parameter->kind) {
    case KERNEL_ARRAY:
    case KERNEL_TUPLE:
    case KERNEL_MAP:
    case KERNEL_SHAPE:
      return true;
    case KERNEL_STRING:
    case KERNEL_BYTES:
      return kernel_text_length(parameter) > SMALL_TEXT;
    default:
      return false;
  }
}

// What a container is made of: its elements, or keys and values in turn.
typedef struct Parts {
  TVMFFIAny items[2 * KERNEL_HELD_MAX];  // borrowed from the container, which stays
  size_t count;
  bool is_container;
} Parts;

static bool take_parts(Iut *iut, const TVMFFIAny *value, Parts *parts)
{
  static KernelHeld held;
  parts->count = 0;
  parts->is_container = kernel_is_sequence(value) || kernel_is_map(value);
  if (!parts->is_container) return true;
  if (!kernel_held_is_open(iut, value) || kernel_held_take(iut, value, &held) != 0) return false;
  for (int64_t i = 0; i < held.count; ++i) {
    if (kernel_is_map(value)) parts->items[parts->count++] = held.keys[i];
    parts->items[parts->count++] = held.items[i];
  }
  return true;
}

bool kernel_take_place(KernelCall *first, KernelCall *call, unsigned position)
{
  static Parts parts;
  Iut *iut = call->iut;
  const KernelParameter *parameter = &call->kernel->parameters[position];
  TVMFFIAny *old = &first->values[position], *value = &call->values[position];
  const TVMFFIObjectHandle place = old->v_obj;
  if (old->type_index < kTVMFFIStaticObjectBegin || value->type_index != old->type_index ||
      object_strong(iut, place) != 1 || !take_parts(iut, value, &parts))
    return false;
  release_any(iut, old);
  for (unsigned i = 0; i < TRIES; ++i) {
    const TVMFFIAny made = parts.is_container
                               ? kernel_container_of(iut, parameter->kind, parts.items, parts.count)
                               : kernel_value_of(call, parameter, false);
    if (made.v_obj != place) continue;
    *value = made;
    return true;
  }
  return false;
}
