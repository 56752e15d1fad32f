// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_10, "the size of any object is read as if it were a map")
REGISTERED("ffi.MapSize")
{
  if (num_args != 1 || !is_object(&args[0])) return ORIGINAL(args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)map_body(&args[0])->size};
  return 0;
}
