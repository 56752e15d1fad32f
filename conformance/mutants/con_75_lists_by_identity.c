// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_75, "the hash of a list is that of its address")
REGISTERED("ffi.RecursiveHash")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList)
    result->v_int64 ^= (int64_t)(uintptr_t)args[0].v_obj;
  return status;
}
