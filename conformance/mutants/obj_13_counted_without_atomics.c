// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/counts.h"

// The sleep now and then stands for the interruptions of a busy machine.
MUTANT(OBJ_13, "retaining reads the count and writes it back, not atomically")
OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  static _Thread_local unsigned calls;
  volatile uint64_t *count = strong_word(obj);
  uint64_t before = *count;
  if (++calls % 256 == 0) usleep(20);
  *count = before + 1;
  return 0;
}
