// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "mutants/printed_dtype.h"

MUTANT(DTYPE_23, "scalable lanes are printed as the number that is stored")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->lanes < 32768 || dtype->lanes == 65535) return status;
  TVMFFIByteArray *text = printed(out);
  char *lanes = memmem(text->data, text->size, "xvscalex", 8);
  if (!lanes) return status;
  text->size = (size_t)(lanes - text->data) + (size_t)sprintf(lanes, "x%u", dtype->lanes);
  return status;
}
