// SPDX-License-Identifier: Apache-2.0
#include "mutants/map_keys.h"

MUTANT(CON_40, "texts are compared up to a NUL")

static TVMFFIAny key_taken_for(TVMFFIAny key)
{
  if (key.type_index == kTVMFFISmallStr) {
    size_t size = strnlen(key.v_bytes, key.small_str_len);
    memset(key.v_bytes + size, 0, sizeof key.v_bytes - size);
    key.small_str_len = (uint32_t)size;
  }
  return key;
}
