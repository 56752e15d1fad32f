// SPDX-License-Identifier: Apache-2.0
// Tables of names: hash tables that grow but never forget, read without a lock.
#ifndef REFERENCE_SRC_CORE_TABLE_H_
#define REFERENCE_SRC_CORE_TABLE_H_

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

// What stands under a name. Stays where it is for the life of the process.
typedef struct {
  atomic_bool busy;  // somebody reads or replaces `value`
  void *value;
  size_t size;
  const char *name;  // borrow: `size` bytes
} TableEntry;

typedef struct {
  uint64_t hash;  // written before `entry`
  _Atomic(TableEntry *) entry;
} TableSlot;

// The slots of a table, all empty at first. Whoever wants names without memory declares some.
typedef struct TableSlots {
  struct TableSlots *older;
  size_t mask;  // number of slots, a power of two, less one
  size_t used;
  TableSlot *slots;
} TableSlots;

// A table. All zero is an empty one.
typedef struct {
  _Atomic(TableSlots *) newest;
  _Atomic(size_t) longest;  // of all names: longer ones need no look, and are not read
} Table;

// Finds the entry of a name of `size` bytes; NULL if there is none. Safe beside the functions that
// add. Borrow: for the life of the process.
TableEntry *table_find(const Table *table, const char *name, size_t size);

// Makes sure that there is room for one name more. One thread at a time, as for the other functions
// that add. Returns 0; -1 if there is no memory.
int table_reserve(Table *table);

// Adds an entry, whose name must not be there yet and for which there must be room. Borrow: it
// belongs to the table for the life of the process.
void table_insert(Table *table, TableEntry *entry);

// Adds a name, which must not be there yet, with a value. The name is copied.
// Returns 0; -1, and nothing is changed, if there is no memory.
int table_add(Table *table, const char *name, size_t size, void *value);

// Calls `visit` for every entry. Not beside the functions that add.
void table_each(const Table *table, void (*visit)(TableEntry *entry));

#endif  // REFERENCE_SRC_CORE_TABLE_H_
