// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_34, "a function that makes a default is the default")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo other = *info;
  other.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
