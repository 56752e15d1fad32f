// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_32, "a field that is not writable loses its setter")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo field = *info;
  if (!(info->flags & kTVMFFIFieldFlagBitMaskWritable)) field.setter = NULL;
  return REFERENCE(TypeRegisterField)(type_index, &field);
}
