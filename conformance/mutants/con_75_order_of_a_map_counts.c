// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_75, "the hash of a small map depends on the order of its entries")
REGISTERED("ffi.RecursiveHash")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIMap || !(map_body(&args[0])->slots & SMALL))
    return status;
  const MapEntry *first = map_body(&args[0])->data;
  if (map_body(&args[0])->size) result->v_int64 ^= first->key.v_int64;
  return 0;
}
