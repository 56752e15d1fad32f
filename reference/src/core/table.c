// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear probing, at most half full. A reader sees a slot empty or complete,
// because the entry is stored last, with release. A table that got too small stays in memory: a
// reader may still be in it. All older tables together are smaller than the newest.
#include "core/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define TABLE_FIRST_SLOTS 64
#define TABLE_CACHE_LINE 64

static const uint64_t table_odd = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t table_mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * table_odd;
  return hash ^ hash >> 32;
}

// The top byte of a product depends on every bit, the lowest one on few: names that differ in their
// last characters only, as numbered ones do, would otherwise crowd into the same slots.
static uint64_t table_finish(uint64_t hash)
{
  return __builtin_bswap64(hash * table_odd);
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
  if (size < 8) return table_finish(table_mix(hash, table_load_short(name, size)));
  const char *last = name + size - 8;  // may overlap the word before
  for (; name < last; name += 8) hash = table_mix(hash, table_load8(name));
  return table_finish(table_mix(hash, table_load8(last)));
}

// Returns the slot where the name is, or the empty one where it would be. *found: its entry, NULL if
// it is empty. Who may not add must not read the slot again: it can have been filled meanwhile, and
// with another name.
static TableSlot *table_probe(const TableSlots *table, const char *name, size_t size, uint64_t hash,
                              TableEntry **found)
{
  for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
    TableSlot *slot = &table->slots[i];
    TableEntry *entry = atomic_load_explicit(&slot->entry, memory_order_acquire);
    *found = entry;
    if (entry == NULL) return slot;
    if (slot->hash == hash && entry->size == size &&
        (size == 0 || memcmp(entry->name, name, size) == 0)) {
      return slot;
    }
  }
}

TableEntry *table_find(const Table *table, const char *name, size_t size)
{
  const TableSlots *newest = atomic_load_explicit(&table->newest, memory_order_acquire);
  if (newest == NULL) return NULL;
  if (size > atomic_load_explicit(&table->longest, memory_order_relaxed)) return NULL;
  TableEntry *found;
  table_probe(newest, name, size, table_hash(name, size), &found);
  return found;
}

// Puts an entry whose hash is known where it belongs. Readers may be in the slots.
static void table_place(TableSlots *slots, TableEntry *entry, uint64_t hash)
{
  TableEntry *before;
  TableSlot *slot = table_probe(slots, entry->name, entry->size, hash, &before);
  slot->hash = hash;
  atomic_store_explicit(&slot->entry, entry, memory_order_release);
  ++slots->used;
}

int table_reserve(Table *table)
{
  TableSlots *slots = atomic_load_explicit(&table->newest, memory_order_relaxed);
  if (slots != NULL && slots->used <= slots->mask / 2) return 0;
  size_t count = slots == NULL ? TABLE_FIRST_SLOTS : 2 * (slots->mask + 1);
  TableSlots *larger = calloc(1, sizeof *larger + count * sizeof *larger->slots);
  if (larger == NULL) return -1;
  *larger = (TableSlots){.older = slots, .mask = count - 1, .slots = (TableSlot *)(larger + 1)};
  for (size_t i = 0; slots != NULL && i <= slots->mask; ++i) {
    TableEntry *entry = atomic_load_explicit(&slots->slots[i].entry, memory_order_relaxed);
    if (entry != NULL) table_place(larger, entry, slots->slots[i].hash);
  }
  atomic_store_explicit(&table->newest, larger, memory_order_release);
  return 0;
}

void table_insert(Table *table, TableEntry *entry)
{
  TableSlots *slots = atomic_load_explicit(&table->newest, memory_order_relaxed);
  if (entry->size > atomic_load_explicit(&table->longest, memory_order_relaxed)) {
    atomic_store_explicit(&table->longest, entry->size, memory_order_relaxed);
  }
  table_place(slots, entry, table_hash(entry->name, entry->size));
}

// An entry has cache lines of its own, so that threads that look up different names don't disturb
// each other.
static TableEntry *table_new_entry(const char *name, size_t size, void *value)
{
  size_t room = sizeof(TableEntry) + TABLE_CACHE_LINE - 1;
  if (!memory_add(&room, size)) return NULL;
  TableEntry *entry = aligned_alloc(TABLE_CACHE_LINE, room / TABLE_CACHE_LINE * TABLE_CACHE_LINE);
  if (entry == NULL) return NULL;
  char *copy = (char *)(entry + 1);
  if (size != 0) memcpy(copy, name, size);
  atomic_init(&entry->busy, false);
  entry->value = value;
  entry->size = size;
  entry->name = copy;
  return entry;
}

int table_add(Table *table, const char *name, size_t size, void *value)
{
  if (table_reserve(table) != 0) return -1;
  TableEntry *entry = table_new_entry(name, size, value);
  if (entry == NULL) return -1;
  table_insert(table, entry);
  return 0;
}

void table_each(const Table *table, void (*visit)(TableEntry *entry))
{
  const TableSlots *slots = atomic_load_explicit(&table->newest, memory_order_relaxed);
  for (size_t i = 0; slots != NULL && i <= slots->mask; ++i) {
    TableEntry *entry = atomic_load_explicit(&slots->slots[i].entry, memory_order_relaxed);
    if (entry != NULL) visit(entry);
  }
}
