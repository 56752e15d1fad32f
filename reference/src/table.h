// SPDX-License-Identifier: Apache-2.0
// The table of names: a hash table that grows but never forgets, read without a lock.
#ifndef REFERENCE_TABLE_H_
#define REFERENCE_TABLE_H_

#include <stdatomic.h>
#include <stddef.h>

// What stands under a name. Stays where it is for the life of the process.
typedef struct {
  atomic_bool busy;  // somebody reads or replaces `value`
  void *value;
  size_t size;
  char name[];
} TableEntry;

// Finds the entry of a name of `size` bytes; NULL if there is none. Safe beside `table_add`.
// Borrow: for the life of the process.
TableEntry *table_find(const char *name, size_t size);

// Adds a name, which must not be there yet, with a value. The name is copied.
// One thread at a time. Returns 0; -1, and nothing is changed, if there is no memory.
int table_add(const char *name, size_t size, void *value);

// Calls `visit` for every entry. Not beside `table_add`.
void table_each(void (*visit)(TableEntry *entry));

#endif  // REFERENCE_TABLE_H_
