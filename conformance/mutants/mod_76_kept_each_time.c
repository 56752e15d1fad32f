// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_76, "a module is kept once for each time it is asked")
REGISTERED("ffi.ModuleGlobalsAdd")
{
  static void *last;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args->v_obj == last) TVMFFIObjectIncRef(last);
  if (status == 0) last = args->v_obj;
  return status;
}
