// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_7, "no NUL stands behind the data of a string object")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    memset((char *)(uintptr_t)cell->data + cell->size, 0xA5, 1);
  }
  return status;
}
