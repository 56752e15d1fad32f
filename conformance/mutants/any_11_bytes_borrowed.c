// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_11, "a bytes object points to the bytes that it was made of")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  const TVMFFIByteArray *source = view->v_ptr;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFIBytes)
    ((TVMFFIByteArray *)(out->v_obj + 1))->data = source->data;
  return status;
}
