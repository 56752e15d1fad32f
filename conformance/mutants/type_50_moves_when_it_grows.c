// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_50, "a column that covers more than 200 types has moved")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column || column->size <= 200) return column;
  TVMFFITypeAttrColumn *moved = malloc(sizeof *moved);
  if (!moved) return column;
  *moved = *column;
  return moved;
}
