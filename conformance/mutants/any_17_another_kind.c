// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_17, "an rvalue reference that was moved already is a ValueError")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("ValueError", "moved already");
  return status;
}
