// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_20, "an object is made twice, and one of them thrown away")
REGISTERED("ffi.MakeObjectFromPackedArgs")
{
  TVMFFIAny first = {0};
  if (ORIGINAL(args, num_args, &first) != 0) return -1;
  TVMFFIObjectDecRef(first.v_obj);
  return ORIGINAL(args, num_args, result);
}
