// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_28, "of texts, errors and functions the reference is moved, others are shared")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index != kTVMFFIObjectRValueRef) return REFERENCE(AnyViewToOwnedAny)(view, out);
  TVMFFIObject **slot = view->v_ptr, *object = *slot;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status != 0 || object->type_index <= kTVMFFIFunction) return status;
  TVMFFIObjectIncRef(object);
  *slot = object;
  return 0;
}
