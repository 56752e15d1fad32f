// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_5, "a NULL opaque pointer becomes None")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && out->type_index == kTVMFFIOpaquePtr && !out->v_ptr)
    out->type_index = kTVMFFINone;
  return status;
}
