// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_45, "where the shift should be stands the logarithm of the number of slots")

static void turn(const TVMFFIAny *map)
{
  if (map->type_index == kTVMFFIMap && !(map_body(map)->slots & SMALL))
    map_body(map)->shift = 64 - map_body(map)->shift;
}

REGISTERED("ffi.Map")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) turn(result);
  return status;
}

static int call_turned(void *original, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny map = {.type_index = kTVMFFINone};
  if (num_args > 0) map = args[0];
  turn(&map);
  int status = ORIGINAL(args, num_args, result);
  turn(&map);
  return status;
}

REGISTERED("ffi.MapCount")
{
  return call_turned(original, args, num_args, result);
}

REGISTERED("ffi.MapGetItem")
{
  return call_turned(original, args, num_args, result);
}

REGISTERED("ffi.MapGetItemOrMissing")
{
  return call_turned(original, args, num_args, result);
}
