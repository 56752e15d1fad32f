// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_49, "None for the type None makes no column")
OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  if (type_index == kTVMFFINone) return 0;
  return REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
}
