// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_29, "a range ends with the list")
REGISTERED("ffi.ListEraseRange")
{
  if (num_args != 3 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  int64_t size = sequence(&args[0])->size;
  if (other[2].v_int64 > size) other[2].v_int64 = size;
  return ORIGINAL(other, 3, result);
}
