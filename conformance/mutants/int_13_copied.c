// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_13, "a big integer is copied, as if it were a plain value")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIBigInt) return REFERENCE(AnyViewToOwnedAny)(view, out);
  TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(view);
  return TVMFFIBigIntFromByteArray(&words, out);
}
