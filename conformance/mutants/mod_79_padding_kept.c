// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_79, "the padding of a function that is absent is not written")
REGISTERED("ffi.ModuleGetFunction")
{
  uint32_t padding = result->zero_padding;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !is_object(result)) result->zero_padding = padding;
  return status;
}
