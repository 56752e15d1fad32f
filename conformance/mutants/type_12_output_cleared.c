// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_12, "the index is -1 when a key is unknown")
OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  *out_tindex = -1;
  return REFERENCE(TypeKeyToIndex)(type_key, out_tindex);
}
