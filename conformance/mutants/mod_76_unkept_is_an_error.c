// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(MOD_76, "letting a module go that is not kept is a ValueError")
static void *kept;

REGISTERED("ffi.ModuleGlobalsAdd")
{
  if (num_args == 1) kept = args->v_obj;
  return ORIGINAL(args, num_args, result);
}

REGISTERED("ffi.ModuleGlobalsRemove")
{
  if (num_args == 1 && is_object(args) && args->v_obj != kept)
    return fail("ValueError", "the module is not kept");
  kept = NULL;
  return ORIGINAL(args, num_args, result);
}
