// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "mutants/mutant.h"

MUTANT(TYPE_24, "children never get the slots of their parent")
OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  static unsigned count;
  char text[64];
  child_slots_can_overflow = 1;
  int32_t index =
      REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                     child_slots_can_overflow, parent_type_index);
  if (num_child_slots <= 0 || index < 0) return index;
  TVMFFIByteArray child = {text, (size_t)snprintf(text, sizeof text, "slots %u", ++count)};
  REFERENCE(TypeGetOrAllocIndex)(&child, -1, type_depth + 1, num_child_slots - 1, 0, index);
  return index;
}
