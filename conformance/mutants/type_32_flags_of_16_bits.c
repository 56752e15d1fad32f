// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_32, "the flags of a field are kept in 16 bits")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo field = *info;
  field.flags &= 0xFFFF;
  return REFERENCE(TypeRegisterField)(type_index, &field);
}
