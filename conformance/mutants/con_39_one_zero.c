// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_39, "0.0 and -0.0 are one key")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFIFloat && key.v_float64 == 0) key.v_float64 = 0;
  return key;
}
