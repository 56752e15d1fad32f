// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_40, "texts are compared up to a NUL")

static TVMFFIAny plain(TVMFFIAny key)
{
  if (key.type_index == kTVMFFISmallStr) {
    size_t size = strnlen(key.v_bytes, key.small_str_len);
    memset(key.v_bytes + size, 0, sizeof key.v_bytes - size);
    key.small_str_len = (uint32_t)size;
  }
  return key;
}

REGISTERED("ffi.Map")
{
  static TVMFFIAny pairs[8192];
  if (num_args > 8192) return ORIGINAL(args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) pairs[i] = i % 2 ? args[i] : plain(args[i]);
  return ORIGINAL(pairs, num_args, result);
}

REGISTERED("ffi.MapCount")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], plain(args[1])};
  return ORIGINAL(other, 2, result);
}

REGISTERED("ffi.MapGetItem")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], plain(args[1])};
  return ORIGINAL(other, 2, result);
}
