// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/counts.h"

MUTANT(TEN_30, "an export reads the count and writes it back higher, in two steps")

// The sleep now and then stands for the interruptions of a busy machine.
OVERRIDE(TensorToDLPack, TVMFFIObjectHandle from, DLManagedTensor **out)
{
  static _Thread_local unsigned calls;
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0) return status;
  TVMFFIObjectDecRef(from);
  volatile uint64_t *count = strong_word(from);
  uint64_t seen = *count;
  if (++calls % 16 == 0) usleep(20);
  *count = seen + 1;
  return 0;
}
