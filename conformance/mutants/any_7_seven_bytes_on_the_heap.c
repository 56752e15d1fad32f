// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_7, "a raw string of seven bytes becomes an object")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIRawStr || strlen(view->v_c_str) != 7)
    return REFERENCE(AnyViewToOwnedAny)(view, out);
  TVMFFIByteArray with_nul = {view->v_c_str, 8};
  int status = TVMFFIStringFromByteArray(&with_nul, out);
  if (status == 0) ((TVMFFIByteArray *)(out->v_obj + 1))->size = 7;
  return status;
}
