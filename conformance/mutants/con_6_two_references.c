// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_6, "a value that is set in a dict gains two references")
REGISTERED("ffi.DictSetItem")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[2])) TVMFFIObjectIncRef(args[2].v_obj);
  return status;
}
