// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_47, "a dict that outgrows its memory gains a reference")
REGISTERED("ffi.DictSetItem")
{
  uint64_t slots = num_args == 3 && args[0].type_index == kTVMFFIDict ? map_body(args)->slots : 0;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIDict && map_body(args)->slots != slots)
    TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}
