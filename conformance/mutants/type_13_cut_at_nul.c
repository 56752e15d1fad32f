// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_13, "a key ends at the first NUL in it")

static TVMFFIByteArray cut(const TVMFFIByteArray *text)
{
  return (TVMFFIByteArray){text->data, text->data ? strnlen(text->data, text->size) : 0};
}

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  TVMFFIByteArray key = cut(type_key);
  return REFERENCE(TypeKeyToIndex)(&key, out_tindex);
}

OVERRIDE(TypeGetOrAllocIndex, const TVMFFIByteArray *type_key, int32_t static_type_index,
         int32_t type_depth, int32_t num_child_slots, int32_t child_slots_can_overflow,
         int32_t parent_type_index)
{
  TVMFFIByteArray key = cut(type_key);
  return REFERENCE(TypeGetOrAllocIndex)(&key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
