// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_26, "clearing a list forgets its elements")
REGISTERED("ffi.ListClear")
{
  if (num_args == 1 && args[0].type_index == kTVMFFIList)
    for (int64_t i = 0; i < sequence(&args[0])->size; ++i)
      if (is_object(&elements(&args[0])[i])) TVMFFIObjectIncRef(elements(&args[0])[i].v_obj);
  return ORIGINAL(args, num_args, result);
}
