// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_30, "appending gives the list back")
REGISTERED("ffi.ListAppend")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  *result = args[0];
  TVMFFIObjectIncRef(result->v_obj);
  return 0;
}
