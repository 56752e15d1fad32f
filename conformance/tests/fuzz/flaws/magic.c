// SPDX-License-Identifier: Apache-2.0
// A text that begins with four certain bytes, as none of the runtime's own does, is not survived
// (STR-3). Each comparison that holds is a place of the code that was not reached before; nothing
// else tells how near one is. Compiled with each kind of SanitizerCoverage, and without any.
#include <stdlib.h>

#include "mutants/wrap.h"

static void look_at(const volatile char *text)
{
  if (text[0] != 'q') return;
  if (text[1] != 'J') return;
  if (text[2] != '7') return;
  if (text[3] == '!') abort();
}

WRAP(void *, memcpy, void *to, const void *from, size_t size)
{
  if (size >= 4) look_at(from);
  return REAL(memcpy)(to, from, size);
}
