// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/counts.h"

MUTANT(FUN_31, "a look-up reads the count and writes it back higher, in two steps")
OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)

{
  static _Thread_local unsigned calls;
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out) return status;
  TVMFFIObjectDecRef(*out);
  volatile uint64_t *count = strong_word(*out);
  uint64_t seen = *count;
  if (++calls % 7 == 0) usleep(20);
  *count = seen + 1;
  return 0;
}
