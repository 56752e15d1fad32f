// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_10, "the cell of a string object begins with the size")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) {
    char *cell = (char *)(out->v_obj + 1);
    TVMFFIByteArray right;
    memcpy(&right, cell, sizeof right);
    memcpy(cell, &right.size, 8);
    memcpy(cell + 8, &right.data, 8);
  }
  return status;
}
