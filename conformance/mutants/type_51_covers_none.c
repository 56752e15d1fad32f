// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_51, "an empty column covers the type None")

static TVMFFIAny none;

OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  TVMFFITypeAttrColumn *column = (TVMFFITypeAttrColumn *)REFERENCE(GetTypeAttrColumn)(attr_name);
  if (column && column->size == 0) {
    column->data = &none;
    column->size = 1;
  }
  return column;
}
