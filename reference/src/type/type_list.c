// SPDX-License-Identifier: Apache-2.0
#include "type/type_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct TypeBlock {
  struct TypeBlock *older;
  _Alignas(max_align_t) char items[];
} TypeBlock;

void *type_list_reserve(TypeList *list, const void *items, int32_t used, int32_t needed,
                        size_t item_size)
{
  if (needed <= list->room) return list->newest->items;
  int64_t room = 2 * (int64_t)used + 2;
  if (room < needed) room = needed;
  if (room > INT32_MAX) room = INT32_MAX;
  TypeBlock *block = calloc(1, sizeof *block + (size_t)room * item_size);
  if (block == NULL) return NULL;
  if (used != 0) memcpy(block->items, items, (size_t)used * item_size);
  block->older = list->newest;
  list->newest = block;
  list->room = (int32_t)room;
  return block->items;
}
