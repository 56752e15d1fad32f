// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/registered.h"

MUTANT(MOD_77, "all threads look functions up in one place")
REGISTERED("ffi.ModuleGetFunction")
{
  static TVMFFIAny shared[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(shared, args, sizeof shared);
  usleep(50);
  return ORIGINAL(shared, 3, result);
}
