// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_48, "a key that a dict has keeps its value")
REGISTERED("ffi.DictSetItem")
{
  TVMFFIAny count = {0};
  if (num_args == 3 && args[0].type_index == kTVMFFIDict &&
      registered_call_by_name("ffi.DictCount", args, 2, &count) == 0 && count.v_int64)
    return 0;
  return ORIGINAL(args, num_args, result);
}
