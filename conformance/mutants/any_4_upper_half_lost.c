// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_4, "integers lose their upper half")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && out->type_index == kTVMFFIInt) out->v_int64 = (int32_t)out->v_int64;
  return status;
}
