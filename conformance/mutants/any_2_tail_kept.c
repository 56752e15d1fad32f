// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_2, "bytes behind the length of a small string are left as they were in the output")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  char before[8];
  memcpy(before, out->v_bytes, sizeof before);
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIRawStr && out->type_index == kTVMFFISmallStr) {
    size_t used = out->small_str_len;
    memcpy(out->v_bytes + used, before + used, sizeof before - used);
  }
  return status;
}
