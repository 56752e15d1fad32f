// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_5, "a new dict has a reference that nobody releases")
REGISTERED("ffi.Dict")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(result->v_obj);
  return status;
}
