// SPDX-License-Identifier: Apache-2.0
#include "container/pairs.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/object.h"
#include "core/raise.h"

enum { FIRST_ROOM = 16, PAIRS_MAX = 1 << 30 };

// Returns the slot of a pair, or the free one where it belongs.
static uint32_t *pairs_slot(const Pairs *pairs, const TVMFFIObject *one, const TVMFFIObject *other)
{
  const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = ((uint64_t)(uintptr_t)one * factor ^ (uint64_t)(uintptr_t)other) * factor;
  for (size_t at = (size_t)(hash >> 32);; ++at) {
    uint32_t *slot = &pairs->slots[at & (pairs->slot_count - 1)];
    if (*slot == 0) return slot;
    const Pair *pair = &pairs->pairs[*slot - 1];
    if (pair->one == one && pair->other == other) return slot;
  }
}

// Doubles the room. Slots are four times the pairs at most, twice at least.
static int pairs_grow(Pairs *pairs)
{
  size_t room = pairs->room == 0 ? FIRST_ROOM : pairs->room * 2;
  if (room > PAIRS_MAX) return raise_out_of_memory();
  Pair *grown = realloc(pairs->pairs, room * sizeof *grown);
  if (grown == NULL) return raise_out_of_memory();
  pairs->pairs = grown;
  uint32_t *slots = memory_zeroed(room * 2 * sizeof *slots);
  if (slots == NULL) return raise_out_of_memory();
  free(pairs->slots);
  pairs->slots = slots;
  pairs->slot_count = room * 2;
  pairs->room = room;
  for (size_t i = 0; i < pairs->count; ++i) {
    *pairs_slot(pairs, grown[i].one, grown[i].other) = (uint32_t)i + 1;
  }
  return 0;
}

int pairs_note(Pairs *pairs, TVMFFIObject *one, TVMFFIObject *other, size_t *number)
{
  if (pairs->count == pairs->room && pairs_grow(pairs) != 0) return -1;
  uint32_t *slot = pairs_slot(pairs, one, other);
  if (*slot != 0) {
    *number = *slot - 1;
    return 0;
  }
  *number = pairs->count++;
  *slot = (uint32_t)pairs->count;
  object_retain(one);
  if (other != NULL && !pairs->borrows_other) object_retain(other);
  pairs->pairs[*number] = (Pair){one, other, NULL};
  return 1;
}

void pairs_end(Pairs *pairs)
{
  for (size_t i = 0; i < pairs->count; ++i) {
    const Pair *pair = &pairs->pairs[i];
    object_release(pair->one);
    if (pair->other != NULL && !pairs->borrows_other) object_release(pair->other);
    if (pair->made != NULL) object_release(pair->made);
  }
  free(pairs->pairs);
  free(pairs->slots);
  *pairs = (Pairs){0};
}
