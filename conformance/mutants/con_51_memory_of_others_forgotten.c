// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_51, "memory of others is left behind when a dict grows")

static void (*own_deleter)(void *);

static void forget(void *data)
{
  (void)data;
}

REGISTERED("ffi.Dict")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !(map_body(result)->slots & SMALL))
    own_deleter = map_body(result)->data_deleter;
  return status;
}

REGISTERED("ffi.DictSetItem")
{
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && own_deleter &&
      !(map_body(args)->slots & SMALL) && map_body(args)->data_deleter != own_deleter)
    map_body(args)->data_deleter = forget;
  return ORIGINAL(args, num_args, result);
}
