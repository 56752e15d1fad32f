// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_3, "retaining adds a weak reference as well")
OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  __atomic_fetch_add(&object->combined_ref_count, ((uint64_t)1 << 32) + 1, __ATOMIC_RELAXED);
  return 0;
}
