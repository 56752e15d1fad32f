// SPDX-License-Identifier: Apache-2.0
#include "layer/census.h"

#include "layer/growth.h"
#include "layer/layer.h"
#include "layer/shadow.h"

// The place of what was made there, which may be a new one. NULL: there is no room for another.
static RingAlive *place_of(uintptr_t made, int32_t type_index)
{
  const uint64_t hash = (made * 31 + (uint32_t)type_index) * UINT64_C(0x9e3779b97f4a7c15);
  const unsigned long long key = (hash ^ layer_process->image) | 1;
  for (uint64_t i = 0; i < RING_ALIVE_MAX; ++i) {
    RingAlive *alive = &layer_ring->alive[((key >> 20) + i) % RING_ALIVE_MAX];
    unsigned long long none = 0;
    if (!atomic_compare_exchange_strong(&alive->key, &none, key)) {
      if (none == key) return alive;
      continue;
    }
    alive->image = layer_process->image;
    alive->type_index = type_index;
    alive->made = made;
    alive->clock = atomic_load(&layer_ring->clock);
    atomic_store(&alive->ready, 1);
    return alive;
  }
  return NULL;
}

static void count(const TVMFFIObject *object, const ShadowEntry *entry)
{
  RingAlive *alive = place_of(entry->made, object->type_index);
  atomic_fetch_add(alive ? &alive->count : &layer_ring->lost_alive, 1);
}

void census_take(void)
{
  if (layer_process->parent) return;
  if (layer_ring->keeps_dead) shadow_visit(count);
  growth_take();
}
