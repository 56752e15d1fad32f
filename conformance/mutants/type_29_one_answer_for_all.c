// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT(TYPE_29, "the answer to a look-up is kept where all threads write")

static volatile int32_t answer;

OVERRIDE(TypeKeyToIndex, const TVMFFIByteArray *type_key, int32_t *out_tindex)
{
  static _Thread_local unsigned calls;
  int32_t index = 0;
  int status = REFERENCE(TypeKeyToIndex)(type_key, &index);
  if (status != 0) return status;
  answer = index;
  if (++calls % 7 == 0) usleep(20);
  *out_tindex = answer;
  return 0;
}
