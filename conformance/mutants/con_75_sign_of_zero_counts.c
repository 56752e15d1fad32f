// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_75, "0.0 and -0.0 have hashes of their own")
REGISTERED("ffi.RecursiveHash")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIFloat) result->v_int64 ^= args[0].v_int64;
  return status;
}
