// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_18, "an output that names a borrowed text is taken for one that must be freed")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (out->type_index == kTVMFFIRawStr) free(out->v_ptr);
  return REFERENCE(AnyViewToOwnedAny)(view, out);
}
