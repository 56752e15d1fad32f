// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_17, "the size of an array has 8 bits")
REGISTERED("ffi.ArraySize")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 &= 255;
  return status;
}
