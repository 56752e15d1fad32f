// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_6, "an object that is moved into a list stays in its slot, too")
REGISTERED("ffi.ListAppend")
{
  TVMFFIObject **slot = NULL, *object = NULL;
  if (num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef) {
    slot = args[1].v_ptr;
    object = *slot;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && slot) *slot = object;
  return status;
}
