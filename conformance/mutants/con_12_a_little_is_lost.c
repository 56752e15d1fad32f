// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_12, "each map loses some memory")

static void *volatile lost;

REGISTERED("ffi.Map")
{
  lost = malloc(48);
  return ORIGINAL(args, num_args, result);
}
