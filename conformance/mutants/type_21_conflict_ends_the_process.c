// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_21, "the process ends when a key is registered under another static index")

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  int32_t known = index_of(type_key);
  if (known >= 0 && static_type_index >= 0 && known != static_type_index) exit(-1);
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
