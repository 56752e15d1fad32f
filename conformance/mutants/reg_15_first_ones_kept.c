// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_15, "metadata are those that were asked for first")

static char known[64];
static TVMFFIAny metadata;

REGISTERED("ffi.GetGlobalFuncMetadata")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIRawStr) return ORIGINAL(args, num_args, result);
  if (strcmp(known, args[0].v_c_str) == 0) return TVMFFIAnyViewToOwnedAny(&metadata, result);
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  strncpy(known, args[0].v_c_str, sizeof known - 1);
  return TVMFFIAnyViewToOwnedAny(result, &metadata);
}
