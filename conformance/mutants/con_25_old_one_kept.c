// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_25, "an element that is replaced is not released")
REGISTERED("ffi.ListSetItem")
{
  TVMFFIAny old = {.type_index = kTVMFFINone};
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].v_int64 >= 0 &&
      args[1].v_int64 < sequence(&args[0])->size)
    old = elements(&args[0])[args[1].v_int64];
  if (is_object(&old)) TVMFFIObjectIncRef(old.v_obj);
  return ORIGINAL(args, num_args, result);
}
