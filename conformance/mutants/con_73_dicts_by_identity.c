// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_73, "dicts are equal to nothing but themselves")
REGISTERED("ffi.RecursiveEq")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIDict && args[0].v_obj != args[1].v_obj)
    result->v_int64 = 0;
  return status;
}
