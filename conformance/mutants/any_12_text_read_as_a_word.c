// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_12, "eight bytes of a raw string are read at once, however short it is")

static volatile char word[8];

OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index == kTVMFFIRawStr)
    for (int i = 0; i < 8; ++i) word[i] = view->v_c_str[i];
  return REFERENCE(AnyViewToOwnedAny)(view, out);
}
