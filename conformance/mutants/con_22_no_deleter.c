// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_22, "a list that has grown has no deleter")
REGISTERED("ffi.ListAppend")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIList && sequence(&args[0])->size > 100)
    sequence(&args[0])->data_deleter = NULL;
  return status;
}
