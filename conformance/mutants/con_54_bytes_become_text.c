// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_54, "small bytes are taken for a text")
REGISTERED("ffi.String")
{
  if (num_args != 1 || args[0].type_index != kTVMFFISmallBytes)
    return ORIGINAL(args, num_args, result);
  *result = args[0];
  result->type_index = kTVMFFISmallStr;
  return 0;
}
