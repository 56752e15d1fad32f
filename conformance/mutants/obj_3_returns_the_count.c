// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_3, "retaining returns the new count")
OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  return (int)__atomic_add_fetch(&object->combined_ref_count, 1, __ATOMIC_RELAXED);
}
