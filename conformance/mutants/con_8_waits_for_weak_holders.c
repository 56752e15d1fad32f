// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_8, "an array keeps its elements as long as somebody holds it weakly")

static void (*delete_array)(void *self, int flags);

static void delete_late(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    delete_array(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

REGISTERED("ffi.Array")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  delete_array = result->v_obj->deleter;
  result->v_obj->deleter = delete_late;
  return 0;
}
