// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_21, "the capacity of a list is that from before it grew")
REGISTERED("ffi.ListAppend")
{
  int64_t capacity =
      num_args == 2 && args[0].type_index == kTVMFFIList ? sequence(&args[0])->capacity : 0;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList) sequence(&args[0])->capacity = capacity;
  return status;
}
