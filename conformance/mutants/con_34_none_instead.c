// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_34, "a key that a map lacks leads to None")
REGISTERED("ffi.MapGetItem")
{
  TVMFFIAny count = {0};
  if (num_args == 2 && args[0].type_index == kTVMFFIMap &&
      registered_call_by_name("ffi.MapCount", args, 2, &count) == 0 && count.v_int64 == 0) {
    memset(result, 0, sizeof *result);
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}
