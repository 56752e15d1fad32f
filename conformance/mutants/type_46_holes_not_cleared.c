// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_46, "only the type index of a value that nobody registered is cleared")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  for (int32_t i = 0; column && i < column->size; ++i)
    if (column->data[i].type_index == kTVMFFINone) ((TVMFFIAny *)column->data)[i].v_int64 = 0x5A5A;
  return column;
}
