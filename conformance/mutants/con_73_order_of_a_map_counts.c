// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_73, "small maps with entries in another order differ")
REGISTERED("ffi.RecursiveEq")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !result->v_int64 || args[0].type_index != kTVMFFIMap) return status;
  const MapBody *one = map_body(&args[0]), *other = map_body(&args[1]);
  if (!(one->slots & other->slots & SMALL) || one->size == 0) return 0;
  const MapEntry *first = one->data, *second = other->data;
  return ORIGINAL(((TVMFFIAny[]){first->key, second->key}), 2, result);
}
