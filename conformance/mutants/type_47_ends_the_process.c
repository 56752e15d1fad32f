// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_47, "the process ends when an attribute is registered again")
OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0) return 0;
  abort();
}
