// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_7, "an element that is read is borrowed from the array")
REGISTERED("ffi.ArrayGetItem")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  return status;
}
