// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_34, "a method without doc is refused")
OVERRIDE(TypeRegisterMethod, int32_t type_index, const TVMFFIMethodInfo *info)
{
  if (info->doc.data) return REFERENCE(TypeRegisterMethod)(type_index, info);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "a method needs a doc");
  return -1;
}
