// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_10, "a long byte array ends at its first NUL")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  int32_t type_index = view->type_index;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && type_index == kTVMFFIByteArrayPtr && out->type_index == kTVMFFIBytes) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    cell->size = strnlen(cell->data, cell->size);
  }
  return status;
}
