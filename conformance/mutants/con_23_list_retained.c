// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_23, "inserting retains the list")
REGISTERED("ffi.ListInsert")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}
