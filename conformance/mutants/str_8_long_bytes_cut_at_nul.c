// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_8, "long bytes end at their first NUL")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBytes) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    cell->size = strnlen(cell->data, cell->size);
  }
  return status;
}
