// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_6, "an array keeps raw C strings as they are")
REGISTERED("ffi.Array")
{
  int status = ORIGINAL(args, num_args, result);
  for (int32_t i = 0; status == 0 && i < num_args; ++i)
    if (args[i].type_index == kTVMFFIRawStr) elements(result)[i] = args[i];
  return status;
}
