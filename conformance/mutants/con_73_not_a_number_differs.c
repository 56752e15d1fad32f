// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_73, "not-a-number is not equal to itself")
REGISTERED("ffi.RecursiveEq")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIFloat && args[0].v_float64 != args[0].v_float64)
    result->v_int64 = 0;
  return status;
}
