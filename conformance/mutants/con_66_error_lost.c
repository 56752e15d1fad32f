// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_66, "a dict whose keys can't be compared has no such key")
REGISTERED("ffi.DictCount")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict) return status;
  TVMFFIErrorSetRaised(NULL);
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}
