// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_19, "the padding is cleaned in the view")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index < kTVMFFISmallStr) {
    volatile uint32_t *padding = (volatile uint32_t *)(uintptr_t)&view->zero_padding;
    *padding = 0;
  }
  return REFERENCE(AnyViewToOwnedAny)(view, out);
}
