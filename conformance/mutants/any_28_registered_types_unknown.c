// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_28, "what was moved and has a type that was registered is an object of the root type")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIObjectRValueRef &&
      out->type_index >= kTVMFFIDynObjectBegin)
    out->type_index = kTVMFFIObject;
  return status;
}
