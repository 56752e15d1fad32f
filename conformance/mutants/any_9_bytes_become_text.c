// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_9, "a short byte array becomes a small string")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFISmallBytes)
    out->type_index = kTVMFFISmallStr;
  return status;
}
