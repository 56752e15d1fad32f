// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_16, "an array says that it has no room")
REGISTERED("ffi.Array")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) sequence(result)->capacity = 0;
  return status;
}
