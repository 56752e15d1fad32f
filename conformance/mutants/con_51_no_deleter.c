// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_51, "a dense dict has no deleter")
REGISTERED("ffi.Dict")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) map_body(result)->data_deleter = NULL;
  return status;
}
