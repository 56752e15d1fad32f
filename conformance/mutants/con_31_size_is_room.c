// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_31, "the size of a small map is the room that it has")
REGISTERED("ffi.MapSize")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && map_body(&args[0])->slots & SMALL)
    result->v_int64 = (int64_t)(map_body(&args[0])->slots & ~SMALL);
  return status;
}
