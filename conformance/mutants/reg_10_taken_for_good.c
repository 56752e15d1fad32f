// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_10, "a name that was removed stays taken")

static char removed[64];

REGISTERED("ffi.FunctionRemoveGlobal")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->v_int64 && args[0].type_index == kTVMFFIRawStr)
    strncpy(removed, args[0].v_c_str, sizeof removed - 1);
  return status;
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  if (!allow_override && name->size > 0 && name->size == strlen(removed) &&
      memcmp(name->data, removed, name->size) == 0)
    return fail("RuntimeError", "the name is taken");
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}
