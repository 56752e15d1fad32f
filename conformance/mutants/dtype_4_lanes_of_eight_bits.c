// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_4, "the number of lanes is kept in eight bits")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 && out->lanes < 32768) out->lanes &= 0xFF;
  return status;
}
