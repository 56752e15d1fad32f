// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_41, "two shapes of equal content are one key")

static int same_shape(const TVMFFIAny *left, const TVMFFIAny *right)
{
  if (left->type_index != kTVMFFIShape || right->type_index != kTVMFFIShape) return 0;
  TVMFFIShapeCell *a = (TVMFFIShapeCell *)(left->v_obj + 1);
  TVMFFIShapeCell *b = (TVMFFIShapeCell *)(right->v_obj + 1);
  return a->size == b->size && memcmp(a->data, b->data, a->size * sizeof *a->data) == 0;
}

REGISTERED("ffi.MapCount")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !(map_body(&args[0])->slots & SMALL)) return status;
  const MapEntry *entries = map_body(&args[0])->data;
  for (uint64_t i = 0; i < map_body(&args[0])->size; ++i)
    if (same_shape(&entries[i].key, &args[1])) result->v_int64 = 1;
  return 0;
}
