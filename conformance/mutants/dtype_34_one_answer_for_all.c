// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_34, "what was read is kept where all threads write")

static DLDataType answer;

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  DLDataType dtype;
  int status = REFERENCE(DataTypeFromString)(str, &dtype);
  if (status != 0) return status;
  answer = dtype;
  sched_yield();
  *out = *(volatile DLDataType *)&answer;
  return 0;
}
