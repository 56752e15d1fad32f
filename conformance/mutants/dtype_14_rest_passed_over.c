// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_14, "what follows the lanes is passed over")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  TVMFFIByteArray text = *str;
  while (status != 0 && text.size > 4 && isdigit((unsigned char)text.data[0]) == 0) {
    --text.size;
    if (!isdigit((unsigned char)text.data[text.size - 1])) continue;
    TVMFFIErrorSetRaised(NULL);
    return REFERENCE(DataTypeFromString)(&text, out);
  }
  return status;
}
