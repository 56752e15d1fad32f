// SPDX-License-Identifier: Apache-2.0
// Slots come in blocks of 16: first a byte for each, then the items. Keys whose hashes lead to the
// same slot form a chain that begins there; a byte says how far the next one is. The items are
// linked in the order of iteration, too.
#include "container/map_dense.h"

#include <stdlib.h>
#include <string.h>

#include "core/raise.h"

typedef struct {
  MapEntry entry;
  uint64_t previous, next;  // slots, in order
} DenseItem;

#define DENSE_BLOCK_SLOTS 16
#define DENSE_BLOCK_SIZE (DENSE_BLOCK_SLOTS * (1 + sizeof(DenseItem)))
#define DENSE_MIN_SLOTS 8

_Static_assert(sizeof(DenseItem) == 48, "compiled code knows the size of an item");

// The byte of a slot.
enum {
  DENSE_EMPTY = 0xff,
  DENSE_BLOCKED = 0xfe,  // compiled code leaves this behind when it is about to make a larger table
  DENSE_BODY = 0x80,     // the slot is not the first of its chain
  DENSE_JUMP = 0x7f,     // which jump leads to the next one; 0 for none
  DENSE_JUMPS = 126,
};

//--------------------------------------------------------------------------------------------------
// Slots
//--------------------------------------------------------------------------------------------------

static inline uint8_t *dense_byte(const MapObject *map, uint64_t slot)
{
  uint8_t *block = (uint8_t *)map->data + slot / DENSE_BLOCK_SLOTS * DENSE_BLOCK_SIZE;
  return block + slot % DENSE_BLOCK_SLOTS;
}

static inline DenseItem *dense_item(const MapObject *map, uint64_t slot)
{
  uint8_t *block = (uint8_t *)map->data + slot / DENSE_BLOCK_SLOTS * DENSE_BLOCK_SIZE;
  return (DenseItem *)(block + DENSE_BLOCK_SLOTS) + slot % DENSE_BLOCK_SLOTS;
}

static inline bool dense_is_taken(const MapObject *map, uint64_t slot)
{
  return *dense_byte(map, slot) < DENSE_BLOCKED;
}

// Returns the first slot of the chain of a hash.
static inline uint64_t dense_home(const MapObject *map, uint64_t hash)
{
  return hash * UINT64_C(11400714819323198485) >> map->dense.shift;  // CON-45
}

// Returns how far a jump leads. From 16 on these are triangular numbers, the last ones far apart.
static uint64_t dense_distance(unsigned jump)
{
  static const uint32_t sparse[] = {
      130,        195,        292,       438,       657,       986,       1478,      2217,
      3326,       4988,       7482,      11223,     16835,     25252,     37877,     56816,
      85223,      127835,     191752,    287627,    431440,    647160,    970740,    1456110,
      2184165,    3276247,    4914370,   7371555,   11057333,  16585999,  24878998,  37318497,
      55977745,   83966618,   125949926, 188924889, 283387334, 425081001, 637621501, 956432251,
      1434648376, 2151972564, 3227958845};
  if (jump < 16) return jump;
  uint64_t side = jump < 83 ? jump - 10 : sparse[jump - 83];
  return side * (side + 1) / 2;
}

static inline uint64_t dense_jump(const MapObject *map, uint64_t slot, unsigned jump)
{
  return (slot + dense_distance(jump)) & (map->slots - 1);
}

// Returns the next slot of the chain that this one is in; MAP_NOWHERE behind the last one.
static inline uint64_t dense_follow(const MapObject *map, uint64_t slot)
{
  unsigned jump = *dense_byte(map, slot) & DENSE_JUMP;
  if (jump == 0 || jump >= DENSE_JUMPS) return MAP_NOWHERE;
  uint64_t next = dense_jump(map, slot, jump);
  return dense_is_taken(map, next) ? next : MAP_NOWHERE;
}

// Returns the slot before this one in the chain that begins at `home`; MAP_NOWHERE if it isn't
// there, because somebody's hash is not the same every time.
static uint64_t dense_before(const MapObject *map, uint64_t home, uint64_t slot)
{
  if (*dense_byte(map, home) & DENSE_BODY) return MAP_NOWHERE;
  uint64_t before = MAP_NOWHERE, at = home;
  while (at != slot && at != MAP_NOWHERE) {
    before = at;
    at = dense_follow(map, at);
  }
  return at == slot ? before : MAP_NOWHERE;
}

static void dense_set_jump(const MapObject *map, uint64_t slot, unsigned jump)
{
  uint8_t *byte = dense_byte(map, slot);
  *byte = (uint8_t)((*byte & DENSE_BODY) | jump);
}

MapEntry *map_dense_entry(const MapObject *map, uint64_t slot)
{
  return slot < map->slots && dense_is_taken(map, slot) ? &dense_item(map, slot)->entry : NULL;
}

//--------------------------------------------------------------------------------------------------
// Order
//--------------------------------------------------------------------------------------------------

uint64_t map_dense_next(const MapObject *map, uint64_t slot)
{
  // The table may be another one since the slot was told.
  return slot < map->slots ? dense_item(map, slot)->next : MAP_NOWHERE;
}

static void dense_link_last(MapObject *map, uint64_t slot)
{
  DenseItem *item = dense_item(map, slot);
  item->previous = map->dense.last;
  item->next = MAP_NOWHERE;
  if (map->dense.last == MAP_NOWHERE) {
    map->dense.first = slot;
  } else {
    dense_item(map, map->dense.last)->next = slot;
  }
  map->dense.last = slot;
}

// Makes the neighbours of an item, and the ends of the list, refer to these slots.
static void dense_link_neighbours(MapObject *map, const DenseItem *item, uint64_t as_next,
                                  uint64_t as_previous)
{
  *(item->previous == MAP_NOWHERE ? &map->dense.first : &dense_item(map, item->previous)->next) =
      as_next;
  *(item->next == MAP_NOWHERE ? &map->dense.last : &dense_item(map, item->next)->previous) =
      as_previous;
}

// Moves an item to a slot whose item is not in use; the bytes of the slots are left to the caller.
static void dense_move_item(MapObject *map, uint64_t from, uint64_t to)
{
  DenseItem *item = dense_item(map, to);
  *item = *dense_item(map, from);
  dense_link_neighbours(map, item, to, to);
}

//--------------------------------------------------------------------------------------------------
// The table
//--------------------------------------------------------------------------------------------------

// Compiled code believes that a table is full when 99 of 100 slots are taken.
static bool dense_is_full(const MapObject *map)
{
  return (map->size + 1) * 100 > map->slots * 99;
}

uint64_t map_dense_slots(uint64_t count)
{
  uint64_t slots = DENSE_MIN_SLOTS;
  while (count * 100 > slots * 99) slots *= 2;
  return slots;
}

static uint64_t dense_blocks(uint64_t slots)
{
  return (slots + DENSE_BLOCK_SLOTS - 1) / DENSE_BLOCK_SLOTS;
}

static void dense_free(void *data)
{
  free(data);
}

bool map_dense_make(MapObject *map, uint64_t slots)
{
  if (slots > PTRDIFF_MAX / DENSE_BLOCK_SIZE) return false;
  void *data = malloc(dense_blocks(slots) * DENSE_BLOCK_SIZE);
  if (data == NULL) return false;
  map->data = data;
  map->slots = slots;
  map->data_deleter = dense_free;  // CON-51
  map->dense.shift = 64 - (uint32_t)__builtin_ctzll(slots);
  map_dense_wipe(map);
  return true;
}

void map_dense_wipe(MapObject *map)
{
  uint8_t *block = map->data;
  for (uint64_t i = dense_blocks(map->slots); i != 0; --i, block += DENSE_BLOCK_SIZE) {
    memset(block, DENSE_EMPTY, DENSE_BLOCK_SLOTS);
  }
  map->size = 0;
  map->dense.first = map->dense.last = MAP_NOWHERE;
}

//--------------------------------------------------------------------------------------------------
// Finding and adding
//--------------------------------------------------------------------------------------------------

MapDenseStatus map_dense_changed(void)
{
  raise_error("RuntimeError", "a map was changed by the hash or comparison of one of its keys",
              NULL);
  return MAP_DENSE_FAILED;
}

MapDenseStatus map_dense_find(const MapObject *map, const Key *key, uint64_t *slot)
{
  const void *data = map->data;
  *slot = MAP_NOWHERE;
  if (map->size == 0) return MAP_DENSE_DONE;
  uint64_t at = dense_home(map, key->hash);
  if (*dense_byte(map, at) & DENSE_BODY) return MAP_DENSE_DONE;  // no chain begins there
  for (; at != MAP_NOWHERE; at = dense_follow(map, at)) {
    int equal = key_equal(key, &dense_item(map, at)->entry.key);
    if (equal < 0) return MAP_DENSE_FAILED;
    if (map->data != data) return map_dense_changed();
    if (equal) break;
  }
  *slot = at;
  return MAP_DENSE_DONE;
}

// Finds an empty slot that a jump leads to. Returns the jump, 0 if there is none.
static unsigned dense_find_empty(const MapObject *map, uint64_t slot, uint64_t *empty)
{
  for (unsigned jump = 1; jump < DENSE_JUMPS; ++jump) {
    *empty = dense_jump(map, slot, jump);
    if (*dense_byte(map, *empty) == DENSE_EMPTY) return jump;
  }
  return 0;
}

static void dense_put(MapObject *map, uint64_t slot, uint8_t byte, const MapEntry *entry)
{
  *dense_byte(map, slot) = byte;
  dense_item(map, slot)->entry = *entry;
  dense_link_last(map, slot);
  ++map->size;
}

static MapDenseStatus dense_append_to_chain(MapObject *map, uint64_t home, const MapEntry *entry)
{
  uint64_t tail = home, empty;
  for (uint64_t at = home; at != MAP_NOWHERE; at = dense_follow(map, at)) tail = at;
  unsigned jump = dense_find_empty(map, tail, &empty);
  if (jump == 0) return MAP_DENSE_FULL;
  dense_set_jump(map, tail, jump);
  dense_put(map, empty, DENSE_BODY, entry);
  return MAP_DENSE_DONE;
}

// Where the rest of a chain is to go: slots, and the jumps that lead there.
typedef struct {
  uint64_t from, to;
  unsigned jump;
} DenseStep;

enum { DENSE_MAX_STEPS = 32 };

// Plans to move a chain, from `slot` on, to other slots behind `before`. The slots planned for are
// marked. Returns the number of steps; 0 if it can't be done, and then nothing is marked.
static int dense_plan(const MapObject *map, uint64_t before, uint64_t slot, DenseStep *steps)
{
  int count = 0;
  for (uint64_t at = slot; at != MAP_NOWHERE; at = dense_follow(map, at)) {
    DenseStep *step = &steps[count];
    step->from = at;
    step->jump = count == DENSE_MAX_STEPS ? 0 : dense_find_empty(map, before, &step->to);
    if (step->jump == 0) break;
    *dense_byte(map, step->to) = DENSE_BLOCKED;
    before = step->to;
    ++count;
    if (dense_follow(map, at) == MAP_NOWHERE) return count;
  }
  while (count-- > 0) *dense_byte(map, steps[count].to) = DENSE_EMPTY;
  return 0;
}

// Frees a slot where no chain begins, but through which one leads.
static MapDenseStatus dense_evict(MapObject *map, uint64_t slot)
{
  const void *data = map->data;
  DenseStep steps[DENSE_MAX_STEPS + 1];
  Key other;
  key_read(&dense_item(map, slot)->entry.key, &other);
  if (key_hash(&other) != 0) return MAP_DENSE_FAILED;
  if (map->data != data || !dense_is_taken(map, slot)) return map_dense_changed();
  uint64_t before = dense_before(map, dense_home(map, other.hash), slot);
  int count = before == MAP_NOWHERE ? 0 : dense_plan(map, before, slot, steps);
  if (count == 0) return MAP_DENSE_FULL;
  for (int i = 0; i < count; ++i) {
    dense_move_item(map, steps[i].from, steps[i].to);
    *dense_byte(map, steps[i].from) = DENSE_EMPTY;
    *dense_byte(map, steps[i].to) = DENSE_BODY;
    dense_set_jump(map, before, steps[i].jump);
    before = steps[i].to;
  }
  return MAP_DENSE_DONE;
}

MapDenseStatus map_dense_insert(MapObject *map, uint64_t hash, const MapEntry *entry)
{
  if (map->slots == 0) return MAP_DENSE_FULL;
  uint64_t home = dense_home(map, hash);
  uint8_t byte = *dense_byte(map, home);
  if (byte != DENSE_EMPTY) {
    if (dense_is_full(map) || byte == DENSE_BLOCKED) return MAP_DENSE_FULL;
    if (!(byte & DENSE_BODY)) return dense_append_to_chain(map, home, entry);
    MapDenseStatus status = dense_evict(map, home);
    if (status != MAP_DENSE_DONE) return status;
  }
  dense_put(map, home, 0, entry);
  return MAP_DENSE_DONE;
}

//--------------------------------------------------------------------------------------------------
// Removing
//--------------------------------------------------------------------------------------------------

// A chain has no holes: its last item moves into the slot that became free.
void map_dense_remove(MapObject *map, uint64_t hash, uint64_t slot)
{
  const DenseItem *item = dense_item(map, slot);
  uint64_t before = slot, last = slot;
  dense_link_neighbours(map, item, item->next, item->previous);
  for (uint64_t at = dense_follow(map, slot); at != MAP_NOWHERE; at = dense_follow(map, at)) {
    before = last;
    last = at;
  }
  if (last != slot) {
    dense_move_item(map, last, slot);
  } else if (*dense_byte(map, slot) & DENSE_BODY) {
    before = dense_before(map, dense_home(map, hash), slot);
  }
  if (before != last && before != MAP_NOWHERE) dense_set_jump(map, before, 0);
  *dense_byte(map, last) = DENSE_EMPTY;
  --map->size;
}
