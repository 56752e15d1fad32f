// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_12, "an unknown key raises a KeyError")
OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  int status = REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("KeyError", "no such type");
  return status;
}
