// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_3, "retaining adds a weak reference as well")
OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  set_counts(object, (uint32_t)strong_count(object) + 1, (uint32_t)weak_count(object) + 1);
  return 0;
}
