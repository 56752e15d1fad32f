// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_72, "a container that can't be copied is given back itself")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 1 || args[0].type_index == kTVMFFIFunction) return status;
  TVMFFIErrorSetRaised(NULL);
  TVMFFIObjectIncRef(args[0].v_obj);
  *result = args[0];
  return 0;
}
