// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_8, "the memory stays when the weak references go while the content is destroyed")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  const uint64_t weak = (uint64_t)1 << 32;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1) return 0;
  if (before == weak + 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  __atomic_fetch_sub(&object->combined_ref_count, weak, __ATOMIC_ACQ_REL);
  return 0;
}
