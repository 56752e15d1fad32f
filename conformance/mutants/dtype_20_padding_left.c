// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_20, "the padding of a printed text is what was there before")
OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) out->zero_padding = padding;
  return status;
}
