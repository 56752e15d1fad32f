// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_38, "true is the key that 1 is")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFIBool) key.type_index = kTVMFFIInt;
  return key;
}
