// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_34, "what was read is kept where all threads write")

static DLDataType answer;

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  static _Thread_local unsigned calls;
  DLDataType dtype;
  int status = REFERENCE(DataTypeFromString)(str, &dtype);
  if (status != 0) return status;
  answer = dtype;
  if (++calls % 7 == 0) usleep(20);
  *out = *(volatile DLDataType *)&answer;
  return 0;
}
