// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_10, "the strong count is lowered when the deleter has run")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || (uint32_t)object->combined_ref_count != 1)
    return REFERENCE(ObjectDecRef)(obj);
  const uint64_t weak = (uint64_t)1 << 32;
  if (object->combined_ref_count >> 32 == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (__atomic_sub_fetch(&object->combined_ref_count, weak + 1, __ATOMIC_ACQ_REL) == 0)
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
