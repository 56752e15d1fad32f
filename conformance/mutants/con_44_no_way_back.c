// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_44, "the items of a dense map do not lead back")
REGISTERED("ffi.Map")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  MapBody *body = map_body(result);
  if (body->slots & SMALL) return 0;
  for (uint64_t i = body->first; i != NONE; i = map_item(body, i)->next)
    map_item(body, i)->previous = NONE;
  return 0;
}
