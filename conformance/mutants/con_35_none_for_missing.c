// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_35, "a key that a map lacks gives None")
REGISTERED("ffi.MapGetItemOrMissing")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIObject) return status;
  TVMFFIObjectDecRef(result->v_obj);
  memset(result, 0, sizeof *result);
  return 0;
}
