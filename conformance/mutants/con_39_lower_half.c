// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_39, "keys that are integers have 32 bits")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFIInt) key.v_int64 = (int32_t)key.v_int64;
  return key;
}
