// SPDX-License-Identifier: Apache-2.0
#include "mutants/type_table.h"

MUTANT(TYPE_28, "no more than 2048 types can be registered")

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  static int count;
  if (is_known(type_key))
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  if (++count <= 2048)
    return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                          child_slots_can_overflow, parent_type_index);
  TVMFFIErrorSetRaisedFromCStr("InternalError", "too many types");
  return -1;
}
