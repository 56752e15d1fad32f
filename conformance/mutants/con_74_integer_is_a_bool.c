// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_74, "1 and true are equal")
REGISTERED("ffi.RecursiveEq")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIInt && args[1].type_index == kTVMFFIBool)
    result->v_int64 = args[0].v_int64 == args[1].v_int64;
  return status;
}
