// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_69, "imports are asked for a description whether they should be or not")
REGISTERED("ffi.ModuleGetFunctionDoc")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 1;
  return ORIGINAL(changed, 3, result);
}
