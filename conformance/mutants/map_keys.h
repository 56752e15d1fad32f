// SPDX-License-Identifier: Apache-2.0
// Mutants for which some keys of a map are others, with which they are looked up, too.
//
//   #include "mutants/map_keys.h"
//
//   MUTANT(CON_38, "true is the key that 1 is")
//   static TVMFFIAny key_taken_for(TVMFFIAny key)
//   {
//     if (key.type_index == kTVMFFIBool) key.type_index = kTVMFFIInt;
//     return key;
//   }
#ifndef TVMFFI_CONFORMANCE_MUTANTS_MAP_KEYS_H_
#define TVMFFI_CONFORMANCE_MUTANTS_MAP_KEYS_H_

#include "mutants/registered.h"

// Defined by the mutant.
static TVMFFIAny key_taken_for(TVMFFIAny key);

REGISTERED("ffi.Map")
{
  static TVMFFIAny pairs[8192];
  if (num_args > 8192) return ORIGINAL(args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) pairs[i] = i % 2 ? args[i] : key_taken_for(args[i]);
  return ORIGINAL(pairs, num_args, result);
}

REGISTERED("ffi.MapCount")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], key_taken_for(args[1])};
  return ORIGINAL(other, 2, result);
}

REGISTERED("ffi.MapGetItem")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], key_taken_for(args[1])};
  return ORIGINAL(other, 2, result);
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_MAP_KEYS_H_
