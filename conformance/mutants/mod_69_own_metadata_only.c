// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_69, "imports are not asked for metadata")
REGISTERED("ffi.ModuleGetFunctionMetadata")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 0;
  return ORIGINAL(changed, 3, result);
}
