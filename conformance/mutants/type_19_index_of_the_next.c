// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_19, "registering a new key returns the index of the next type")

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  bool known = is_known(type_key);
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  return known || static_type_index >= 0 || index < 0 ? index : index + 1;
}
