// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_14, "a bool is no integer of a shape")
REGISTERED("ffi.Shape")
{
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index == kTVMFFIBool) return fail("ValueError", "not an integer");
  return ORIGINAL(args, num_args, result);
}
