// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_76, "the hash of an array is its size")
REGISTERED("ffi.RecursiveHash")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIArray) result->v_int64 = sequence(&args[0])->size;
  return status;
}
