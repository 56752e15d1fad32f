// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_13, "a string object is copied, not shared")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIStr) return REFERENCE(AnyViewToOwnedAny)(view, out);
  return TVMFFIStringFromByteArray((TVMFFIByteArray *)(view->v_obj + 1), out);
}
