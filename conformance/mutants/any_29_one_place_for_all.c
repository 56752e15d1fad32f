// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT(ANY_29, "the value is put together in a place that all threads share")

static TVMFFIAny place;

OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  static _Thread_local unsigned calls;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status != 0) return status;
  place = *out;
  if (++calls % 16 == 0) usleep(20);
  *out = place;
  return 0;
}
