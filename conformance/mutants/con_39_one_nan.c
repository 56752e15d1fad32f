// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_39, "all NaNs are one key")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFIFloat && key.v_float64 != key.v_float64)
    key.v_uint64 = UINT64_C(0x7ff8000000000000);
  return key;
}
