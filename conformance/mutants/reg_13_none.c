// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_13, "a function without metadata has None as such")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFISmallStr && result->small_str_len == 0)
    memset(result, 0, sizeof *result);
  return status;
}
