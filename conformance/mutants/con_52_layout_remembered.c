// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_52, "a dict that was made small is taken for small until it is changed")

static TVMFFIObject *small;

REGISTERED("ffi.Dict")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) small = map_body(result)->slots & SMALL ? result->v_obj : NULL;
  return status;
}

REGISTERED("ffi.DictSetItem")
{
  if (num_args == 3 && is_object(&args[0]) && args[0].v_obj == small) small = NULL;
  return ORIGINAL(args, num_args, result);
}

REGISTERED("ffi.DictGetItem")
{
  if (num_args == 2 && args[0].type_index == kTVMFFIDict && args[0].v_obj == small &&
      !(map_body(args)->slots & SMALL))
    return fail("KeyError", "no such key");
  return ORIGINAL(args, num_args, result);
}
