// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_38, "bytes are the key that a text of the same content is")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFISmallBytes) key.type_index = kTVMFFISmallStr;
  return key;
}
