// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_8, "a raw string of eight bytes is put into the value")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIRawStr || strlen(view->v_c_str) != 8)
    return REFERENCE(AnyViewToOwnedAny)(view, out);
  TVMFFIAny value = {.type_index = kTVMFFISmallStr, .small_str_len = 8};
  memcpy(value.v_bytes, view->v_c_str, 8);
  *out = value;
  return 0;
}
