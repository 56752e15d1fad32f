// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_74, "maps of the same size are equal")
REGISTERED("ffi.RecursiveEq")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIMap && args[1].type_index == kTVMFFIMap)
    result->v_int64 = map_body(&args[0])->size == map_body(&args[1])->size;
  return status;
}
