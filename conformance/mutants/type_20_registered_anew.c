// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "mutants/type_table.h"

MUTANT(TYPE_20, "a key that is registered again becomes another type")

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  static unsigned count;
  char text[64];
  if (!is_known(type_key))
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  TVMFFIByteArray another = {text, (size_t)snprintf(text, sizeof text, "another %u", ++count)};
  return REFERENCE(TypeGetOrAllocIndex)(&another, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
