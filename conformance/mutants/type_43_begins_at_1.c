// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_43, "a column says that it begins with the type of index 1")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  if (column && column->size > 0) column->begin_index = 1;
  return column;
}
