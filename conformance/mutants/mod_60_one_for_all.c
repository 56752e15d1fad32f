// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_60, "all prefixes have the same module")
REGISTERED("ffi.SystemLib")
{
  static void *module;
  if (module) {
    *result = value_of_object(module);
    TVMFFIObjectIncRef(module);
    return 0;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  module = result->v_obj;
  TVMFFIObjectIncRef(module);
  return 0;
}
