// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "mutants/mutant.h"

MUTANT(TYPE_29, "the answer to a look-up is kept where all threads write")

static volatile int32_t answer;

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  int32_t index = 0;
  int status = REFERENCE(TypeKeyToIndex)(type_key, &index);
  if (status != 0) return status;
  answer = index;
  sched_yield();
  *out_tindex = answer;
  return 0;
}
