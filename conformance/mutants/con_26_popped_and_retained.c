// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_26, "an element that is popped gains a reference")
REGISTERED("ffi.ListPop")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectIncRef(result->v_obj);
  return status;
}
