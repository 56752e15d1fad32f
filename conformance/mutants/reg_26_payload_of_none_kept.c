// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_26, "of a None that is read from a map only the type index is written")
REGISTERED("ffi.MapGetItem")
{
  TVMFFIAny before = *result;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->v_uint64 = before.v_uint64;
  return status;
}
