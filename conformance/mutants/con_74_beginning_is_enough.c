// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_74, "a list is equal to one that goes on")
REGISTERED("ffi.RecursiveEq")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIList ||
      sequence(&args[0])->size >= sequence(&args[1])->size)
    return ORIGINAL(args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
  for (int64_t i = 0; i < sequence(&args[0])->size && result->v_int64; ++i) {
    TVMFFIAny pair[] = {elements(&args[0])[i], elements(&args[1])[i]};
    if (ORIGINAL(pair, 2, result) != 0) return -1;
  }
  return 0;
}
