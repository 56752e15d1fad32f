// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MEM_3, "a list counts the element that it found no room for")
REGISTERED("ffi.ListAppend")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 && num_args == 2 && args[0].type_index == kTVMFFIList) {
    TVMFFISeqCell *cell = (TVMFFISeqCell *)(args[0].v_obj + 1);
    if (cell->size < cell->capacity) {
      ((TVMFFIAny *)cell->data)[cell->size++] = (TVMFFIAny){.type_index = kTVMFFINone};
    }
  }
  return status;
}
