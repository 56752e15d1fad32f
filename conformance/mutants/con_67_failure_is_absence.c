// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_67, "a key that can't be compared is missing")
REGISTERED("ffi.DictGetItemOrMissing")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 2 || args[0].type_index != kTVMFFIDict) return status;
  TVMFFIErrorSetRaised(NULL);
  return registered_call_by_name("ffi.GetInvalidObject", NULL, 0, result);
}
