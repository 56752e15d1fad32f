// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_17, "an rvalue reference that was moved already becomes None")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIObjectRValueRef || *(void **)view->v_ptr)
    return REFERENCE(AnyViewToOwnedAny)(view, out);
  memset(out, 0, sizeof *out);
  return 0;
}
