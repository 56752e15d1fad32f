// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_19, "the source of a library is None")
REGISTERED("ffi.ModuleInspectSource")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) *result = none_value();
  return status;
}
