// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_14, "an object of a type that nobody has registered is refused")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index < kTVMFFIDynObjectBegin) return REFERENCE(AnyViewToOwnedAny)(view, out);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "no such type");
  return -1;
}
