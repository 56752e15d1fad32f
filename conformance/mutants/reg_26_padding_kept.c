// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_26, "the padding of a size is left as it was in the result")
REGISTERED("ffi.ArraySize")
{
  uint32_t padding = result->zero_padding;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->zero_padding = padding;
  return status;
}
