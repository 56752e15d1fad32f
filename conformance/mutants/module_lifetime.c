// SPDX-License-Identifier: Apache-2.0
// Mutants of how long modules live.
#include <unistd.h>

#include "mutants/registered.h"

MUTANT_REGISTERED(MOD_72, library_not_kept, "ffi.ModuleGetFunction",
                  "a function does not keep its library")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(args->v_obj);
  return status;
}

MUTANT_REGISTERED(MOD_75, not_kept, "ffi.ModuleGlobalsAdd", "a module is not kept")
{
  return 0;
}

MUTANT_REGISTERED(MOD_76, kept_each_time, "ffi.ModuleGlobalsAdd",
                  "a module is kept once for each time it is asked")
{
  static void *last;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args->v_obj == last) TVMFFIObjectIncRef(last);
  if (status == 0) last = args->v_obj;
  return status;
}

static void *kept;

MUTANT_REGISTERED(MOD_76, unkept_is_an_error, "ffi.ModuleGlobalsAdd",
                  "letting a module go that is not kept is a ValueError")
{
  if (num_args == 1) kept = args->v_obj;
  return ORIGINAL(args, num_args, result);
}

ALSO_REGISTERED(MOD_76, unkept_is_an_error, "ffi.ModuleGlobalsRemove")
{
  if (num_args == 1 && is_object(args) && args->v_obj != kept)
    return fail("ValueError", "the module is not kept");
  kept = NULL;
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(MOD_77, one_place_for_all, "ffi.ModuleGetFunction",
                  "all threads look functions up in one place")
{
  static TVMFFIAny shared[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(shared, args, sizeof shared);
  usleep(50);
  return ORIGINAL(shared, 3, result);
}
