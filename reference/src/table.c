// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing, at most half full. A reader sees a slot empty or complete,
// because the entry is stored last, with release. A table that got too small stays in memory: a
// reader may still be in it. All older tables together are smaller than the newest.
#include "table.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

typedef struct {
  uint64_t hash;  // written before `entry`
  _Atomic(TableEntry *) entry;
} TableSlot;

typedef struct Table {
  struct Table *older;
  size_t mask;  // number of slots less one
  size_t used;
  TableSlot slots[];
} Table;

#define TABLE_FIRST_SLOTS 64
#define TABLE_CACHE_LINE 64

static _Atomic(Table *) newest;

static uint64_t table_mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static uint64_t table_load8(const char *from)
{
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

static uint64_t table_load4(const char *from)
{
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

// Loads up to 7 bytes, some of them twice.
static uint64_t table_load_short(const char *from, size_t size)
{
  if (size >= 4) return table_load4(from) | table_load4(from + size - 4) << 32;
  if (size == 0) return 0;
  const unsigned char *bytes = (const unsigned char *)from;
  return bytes[0] | (uint64_t)bytes[size / 2] << 8 | (uint64_t)bytes[size - 1] << 16;
}

static uint64_t table_hash(const char *name, size_t size)
{
  uint64_t hash = size;
  if (size < 8) return table_mix(hash, table_load_short(name, size));
  const char *last = name + size - 8;  // may overlap the word before
  for (; name < last; name += 8) hash = table_mix(hash, table_load8(name));
  return table_mix(hash, table_load8(last));
}

// Returns the slot where the name is, or the empty one where it would be.
static TableSlot *table_probe(Table *table, const char *name, size_t size, uint64_t hash)
{
  for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
    TableSlot *slot = &table->slots[i];
    const TableEntry *entry = atomic_load_explicit(&slot->entry, memory_order_acquire);
    if (entry == NULL) return slot;
    if (slot->hash == hash && entry->size == size &&
        (size == 0 || memcmp(entry->name, name, size) == 0)) {
      return slot;
    }
  }
}

TableEntry *table_find(const char *name, size_t size)
{
  Table *table = atomic_load_explicit(&newest, memory_order_acquire);
  if (table == NULL) return NULL;
  TableSlot *slot = table_probe(table, name, size, table_hash(name, size));
  return atomic_load_explicit(&slot->entry, memory_order_acquire);
}

// Returns the table with room for one more: the newest, or a larger copy of it that becomes the
// newest. NULL if there is no memory.
static Table *table_with_room(void)
{
  Table *table = atomic_load_explicit(&newest, memory_order_relaxed);
  if (table != NULL && table->used <= table->mask / 2) return table;
  size_t slots = table == NULL ? TABLE_FIRST_SLOTS : 2 * (table->mask + 1);
  Table *larger = calloc(1, sizeof *larger + slots * sizeof *larger->slots);
  if (larger == NULL) return NULL;
  larger->older = table;
  larger->mask = slots - 1;
  for (size_t i = 0; table != NULL && i <= table->mask; ++i) {
    TableEntry *entry = atomic_load_explicit(&table->slots[i].entry, memory_order_relaxed);
    if (entry == NULL) continue;
    uint64_t hash = table->slots[i].hash;
    TableSlot *slot = table_probe(larger, entry->name, entry->size, hash);
    slot->hash = hash;
    atomic_init(&slot->entry, entry);
    ++larger->used;
  }
  atomic_store_explicit(&newest, larger, memory_order_release);
  return larger;
}

// An entry has cache lines of its own, so that threads that look up different names don't disturb
// each other.
static TableEntry *table_new_entry(const char *name, size_t size, void *value)
{
  size_t room = sizeof(TableEntry) + TABLE_CACHE_LINE - 1;
  if (!memory_add(&room, size)) return NULL;
  TableEntry *entry = aligned_alloc(TABLE_CACHE_LINE, room / TABLE_CACHE_LINE * TABLE_CACHE_LINE);
  if (entry == NULL) return NULL;
  atomic_init(&entry->busy, false);
  entry->value = value;
  entry->size = size;
  if (size != 0) memcpy(entry->name, name, size);
  return entry;
}

int table_add(const char *name, size_t size, void *value)
{
  Table *table = table_with_room();
  if (table == NULL) return -1;
  TableEntry *entry = table_new_entry(name, size, value);
  if (entry == NULL) return -1;
  uint64_t hash = table_hash(name, size);
  TableSlot *slot = table_probe(table, name, size, hash);
  slot->hash = hash;
  atomic_store_explicit(&slot->entry, entry, memory_order_release);
  ++table->used;
  return 0;
}

void table_each(void (*visit)(TableEntry *entry))
{
  Table *table = atomic_load_explicit(&newest, memory_order_relaxed);
  for (size_t i = 0; table != NULL && i <= table->mask; ++i) {
    TableEntry *entry = atomic_load_explicit(&table->slots[i].entry, memory_order_relaxed);
    if (entry != NULL) visit(entry);
  }
}
