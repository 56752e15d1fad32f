// SPDX-License-Identifier: Apache-2.0
// Jumps back into the constructor, which has returned long ago.
#include "hostile.h"

static jmp_buf place;
static volatile int been_here;

WHEN_LOADED
{
  if (setjmp(place) == 0) return;
  // The frame that this returns from is not that of a constructor any more.
  ++been_here;
}

WHEN_CALLED
{
  longjmp(place, 1);
}
