// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_6, "the length of a small string is counted anew, to its first NUL")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFISmallStr)
    out->small_str_len = (uint32_t)strnlen(out->v_bytes, out->small_str_len);
  return status;
}
