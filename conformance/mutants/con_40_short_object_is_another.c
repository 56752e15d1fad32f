// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_40, "a short text in an object is not the key that a small string is")
REGISTERED("ffi.MapCount")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[1].type_index == kTVMFFIStr &&
      ((TVMFFIByteArray *)(args[1].v_obj + 1))->size < 8)
    result->v_int64 = 0;
  return status;
}
