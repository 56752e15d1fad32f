// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_7, "whoever reads a value retains the map")
REGISTERED("ffi.MapGetItem")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}
