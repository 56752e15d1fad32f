// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_44, "a dense map does not know its last item")
REGISTERED("ffi.Map")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && !(map_body(result)->slots & SMALL))
    map_body(result)->last = map_body(result)->first;
  return status;
}
