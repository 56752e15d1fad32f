// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_9, "a map takes None for what cannot be owned")
REGISTERED("ffi.Map")
{
  TVMFFIAny owned[64];
  if (num_args > 64) return ORIGINAL(args, num_args, result);
  memcpy(owned, args, (size_t)num_args * sizeof *owned);
  for (int32_t i = 0; i < num_args; ++i)
    if (owned[i].type_index == kTVMFFIObjectRValueRef && !*(void **)owned[i].v_ptr)
      owned[i] = (TVMFFIAny){.type_index = kTVMFFINone};
  return ORIGINAL(owned, num_args, result);
}
