// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_20, "an array is searched for the same 16 bytes")
REGISTERED("ffi.ArrayContains")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !result->v_int64) return status;
  result->v_int64 = 0;
  for (int64_t i = 0; i < sequence(&args[0])->size; ++i)
    if (memcmp(&elements(&args[0])[i], &args[1], sizeof args[1]) == 0) result->v_int64 = 1;
  return 0;
}
