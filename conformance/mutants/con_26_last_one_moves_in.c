// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_26, "the last element takes the place of one that is erased")
REGISTERED("ffi.ListErase")
{
  if (num_args == 2 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt &&
      args[1].v_int64 >= 0 && args[1].v_int64 < sequence(&args[0])->size) {
    TVMFFIAny other[2] = {args[0], args[1]};
    TVMFFIAny *erased = &elements(&args[0])[args[1].v_int64];
    TVMFFIAny *last = &elements(&args[0])[sequence(&args[0])->size - 1];
    TVMFFIAny kept = *last;
    *last = *erased;
    *erased = kept;
    other[1].v_int64 = sequence(&args[0])->size - 1;
    return ORIGINAL(other, 2, result);
  }
  return ORIGINAL(args, num_args, result);
}
