// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_15, "what is moved out of a slot is retained as well")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef) TVMFFIObjectIncRef(out->v_obj);
  return status;
}
