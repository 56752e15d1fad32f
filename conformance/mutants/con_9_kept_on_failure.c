// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_9, "an array that cannot be made keeps the objects that it took")
REGISTERED("ffi.Array")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  for (int32_t i = 0; i < num_args && args[i].type_index != kTVMFFIObjectRValueRef; ++i)
    if (is_object(&args[i])) TVMFFIObjectIncRef(args[i].v_obj);
  return status;
}
