// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_34, "imports are asked whether they should be or not")
REGISTERED("ffi.ModuleGetFunction")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 1;
  return ORIGINAL(changed, 3, result);
}
