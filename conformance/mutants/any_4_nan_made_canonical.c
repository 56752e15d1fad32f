// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_4, "every NaN becomes the same NaN")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && out->type_index == kTVMFFIFloat && out->v_float64 != out->v_float64)
    out->v_uint64 = UINT64_C(0x7ff8000000000000);
  return status;
}
