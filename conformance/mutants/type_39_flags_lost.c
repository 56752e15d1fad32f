// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_39, "the flags of a method are lost")
OVERRIDE(TypeRegisterMethod, int32_t type_index, const TVMFFIMethodInfo *info)
{
  TVMFFIMethodInfo method = *info;
  method.flags = 0;
  return REFERENCE(TypeRegisterMethod)(type_index, &method);
}
