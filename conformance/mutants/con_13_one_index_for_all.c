// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/registered.h"

MUTANT(CON_13, "the index that is looked for lies where all threads write")

static volatile int64_t wanted;

REGISTERED("ffi.ArrayGetItem")
{
  static _Thread_local unsigned calls;
  if (num_args != 2 || args[1].type_index != kTVMFFIInt) return ORIGINAL(args, num_args, result);
  wanted = args[1].v_int64;
  if (++calls % 7 == 0) usleep(20);
  TVMFFIAny shared[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = wanted}};
  return ORIGINAL(shared, 2, result);
}
