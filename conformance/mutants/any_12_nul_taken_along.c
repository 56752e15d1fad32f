// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_12, "one byte behind a byte array is read, for the NUL that is thought to be there")

static volatile char taken;

OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index == kTVMFFIByteArrayPtr) {
    const TVMFFIByteArray *source = view->v_ptr;
    if (source->data) taken = source->data[source->size];
  }
  return REFERENCE(AnyViewToOwnedAny)(view, out);
}
