// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_74, "an array is equal to a list of the same elements")
REGISTERED("ffi.RecursiveEq")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIList)
    return ORIGINAL(args, num_args, result);
  int64_t size = sequence(&args[0])->size;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = size == sequence(&args[1])->size};
  for (int64_t i = 0; i < size && result->v_int64; ++i) {
    TVMFFIAny pair[] = {elements(&args[0])[i], elements(&args[1])[i]};
    if (ORIGINAL(pair, 2, result) != 0) return -1;
  }
  return 0;
}
