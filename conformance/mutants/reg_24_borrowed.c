// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_24, "the missing value is lent, not given")
REGISTERED("ffi.GetInvalidObject")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(result->v_obj);
  return status;
}
