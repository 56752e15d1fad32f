// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_16, "no NUL follows the key in the type information")

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (known || index < 0) return index;
  TVMFFITypeInfo *info = (TVMFFITypeInfo *)TVMFFIGetTypeInfo(index);
  char *key = malloc(info->type_key.size + 1);
  if (!key) return index;
  memcpy(key, info->type_key.data, info->type_key.size);
  key[info->type_key.size] = 'x';
  info->type_key.data = key;
  return index;
}
