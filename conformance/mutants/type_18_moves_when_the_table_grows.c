// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_18, "type information moves when there are more than 2000 types")

static int registered;

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  ++registered;
  return REFERENCE(TypeGetOrAllocIndex)(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

OVERRIDE(GetTypeInfo, int32_t type_index)
{
  const TVMFFITypeInfo *info = REFERENCE(GetTypeInfo)(type_index);
  if (registered < 2000) return info;
  TVMFFITypeInfo *moved = malloc(sizeof *moved);
  if (!moved) return info;
  *moved = *info;
  return moved;
}
