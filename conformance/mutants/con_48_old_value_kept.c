// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_48, "a value that is replaced is not released")
REGISTERED("ffi.DictSetItem")
{
  TVMFFIAny old = {0}, count = {0};
  if (num_args == 3 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && count.v_int64)
    registered_call_by_name("ffi.DictGetItem", args, 2, &old);
  return ORIGINAL(args, num_args, result);
}
