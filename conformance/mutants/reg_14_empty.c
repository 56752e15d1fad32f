// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_14, "a name that is not registered has empty metadata")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIRawStr) return ORIGINAL(args, num_args, result);
  void *function = registered_find(args[0].v_c_str);
  if (!function) {
    *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
    return 0;
  }
  TVMFFIObjectDecRef(function);
  return ORIGINAL(args, num_args, result);
}
