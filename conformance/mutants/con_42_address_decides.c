// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_42, "objects of all types are compared by their address")
REGISTERED("ffi.MapCount")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[1].type_index < kTVMFFIDynObjectBegin ||
      !(map_body(&args[0])->slots & SMALL))
    return status;
  const MapEntry *entries = map_body(&args[0])->data;
  result->v_int64 = 0;
  for (uint64_t i = 0; i < map_body(&args[0])->size; ++i)
    if (entries[i].key.v_obj == args[1].v_obj) result->v_int64 = 1;
  return 0;
}
