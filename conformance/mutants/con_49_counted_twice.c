// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_49, "a key that is set again counts again")

static int64_t replaced;

REGISTERED("ffi.DictSetItem")
{
  uint64_t size = num_args == 3 && args[0].type_index == kTVMFFIDict ? map_body(args)->size : 0;
  int status = ORIGINAL(args, num_args, result);
  replaced += status == 0 && args[0].type_index == kTVMFFIDict && map_body(args)->size == size;
  return status;
}

REGISTERED("ffi.DictSize")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 += replaced;
  return status;
}
