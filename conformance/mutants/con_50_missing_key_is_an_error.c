// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_50, "a key that a dict lacks cannot be erased")
REGISTERED("ffi.DictErase")
{
  TVMFFIAny count = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && !count.v_int64)
    return fail("KeyError", "no such key");
  return ORIGINAL(args, num_args, result);
}
