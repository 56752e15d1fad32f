// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_3, "retaining returns the new count")
OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  return (int)__atomic_add_fetch(strong_word(obj), 1, __ATOMIC_RELAXED);
}
