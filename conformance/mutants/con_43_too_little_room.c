// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_43, "a small map says that it has room for one entry")
REGISTERED("ffi.Map")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && map_body(result)->slots & SMALL) map_body(result)->slots = SMALL | 1;
  return status;
}
