// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_8, "a map that dies forgets its keys")
REGISTERED("ffi.Map")
{
  int status = ORIGINAL(args, num_args, result);
  for (int32_t i = 0; status == 0 && i < num_args; i += 2)
    if (is_object(&args[i])) TVMFFIObjectIncRef(args[i].v_obj);
  return status;
}
