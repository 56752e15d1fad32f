// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_44, "looking up a column that nobody registered raises an error")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such column");
  return column;
}
