// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_28, "the elements of the other list are moved out of it")
REGISTERED("ffi.ListReplaceSlice")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[3].type_index != kTVMFFIList || args[0].v_obj == args[3].v_obj)
    return status;
  TVMFFIAny ignored = {0};
  return registered_call_by_name("ffi.ListClear", &args[3], 1, &ignored);
}
