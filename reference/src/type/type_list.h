// SPDX-License-Identifier: Apache-2.0
// Arrays of the table of types: they grow under readers who take no lock, so what was outgrown is
// kept. All older arrays together are smaller than the newest.
#ifndef REFERENCE_SRC_TYPE_TYPE_LIST_H_
#define REFERENCE_SRC_TYPE_TYPE_LIST_H_

#include <stddef.h>
#include <stdint.h>

// The memory of one array; all zero for none.
typedef struct {
  struct TypeBlock *newest;
  int32_t room;  // items that fit
} TypeList;

// Returns an array with room for `needed` items, of which the first `used` are those at `items`,
// and all others zero. It is the same one as before if that has the room. NULL if there is no
// memory. Borrow: for the life of the process.
void *type_list_reserve(TypeList *list, const void *items, int32_t used, int32_t needed,
                        size_t item_size);

#endif  // REFERENCE_SRC_TYPE_TYPE_LIST_H_
