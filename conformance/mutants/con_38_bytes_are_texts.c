// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_38, "bytes are the key that a text of the same content is")

static TVMFFIAny plain(TVMFFIAny key)
{
  if (key.type_index == kTVMFFISmallBytes) key.type_index = kTVMFFISmallStr;
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
