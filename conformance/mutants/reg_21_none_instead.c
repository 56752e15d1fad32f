// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_21, "a field with a default is None when it is not named")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo other = *info;
  memset(&other.default_value_or_factory, 0, sizeof other.default_value_or_factory);
  other.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
