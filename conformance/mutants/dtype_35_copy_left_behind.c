// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_35, "a copy of the printed text is left behind")

// The text that was printed, to be changed in place.
static TVMFFIByteArray *printed(const TVMFFIAny *out)
{
  return (TVMFFIByteArray *)((TVMFFIObject *)out->v_obj + 1);
}

static char *volatile copy;

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status == 0) copy = strdup(printed(out)->data);
  return status;
}
