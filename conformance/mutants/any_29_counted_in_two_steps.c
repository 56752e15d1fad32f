// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/counts.h"

// The sleep now and then stands for the interruptions of a busy machine.
MUTANT(ANY_29, "a conversion reads the count and writes it back higher, in two steps")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  static _Thread_local unsigned calls;
  if (view->type_index < kTVMFFIStaticObjectBegin) return REFERENCE(AnyViewToOwnedAny)(view, out);
  volatile uint64_t *count = strong_word(view->v_obj);
  uint64_t before = *count;
  if (++calls % 256 == 0) usleep(20);
  *count = before + 1;
  TVMFFIAny value = {.type_index = view->type_index};
  value.v_obj = view->v_obj;
  *out = value;
  return 0;
}
