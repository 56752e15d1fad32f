// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_18, "of a None only the type index and the padding are written")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFINone) return REFERENCE(AnyViewToOwnedAny)(view, out);
  out->type_index = kTVMFFINone;
  out->zero_padding = 0;
  return 0;
}
