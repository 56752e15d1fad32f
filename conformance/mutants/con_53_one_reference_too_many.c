// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_53, "bytes that are given back gain two references")
REGISTERED("ffi.Bytes")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIBytes) TVMFFIObjectIncRef(result->v_obj);
  return status;
}
