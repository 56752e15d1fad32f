// SPDX-License-Identifier: Apache-2.0
#include "mutants/printed_dtype.h"

MUTANT(DTYPE_22, "the lanes of float formats are not printed")

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->code < kDLFloat8_e3m4 || dtype->lanes < 2 || dtype->lanes > 32767)
    return status;
  TVMFFIByteArray *text = printed(out);
  text->size = (size_t)((const char *)memrchr(text->data, 'x', text->size) - text->data);
  ((char *)text->data)[text->size] = '\0';
  return 0;
}
