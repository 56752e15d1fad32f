// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_14, "objects of dynamic types are not retained")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index < kTVMFFIDynObjectBegin) return REFERENCE(AnyViewToOwnedAny)(view, out);
  *out = *view;
  return 0;
}
