// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_1, "a value is cleared over 24 bytes")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0) memset(out + 1, 0, 8);
  return status;
}
