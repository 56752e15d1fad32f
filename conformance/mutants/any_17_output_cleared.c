// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_17, "an rvalue reference that was moved already clears the output")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  TVMFFIAny value;
  int status = REFERENCE(AnyViewToOwnedAny)(view, &value);
  if (status != 0) memset(&value, 0, sizeof value);
  *out = value;
  return status;
}
