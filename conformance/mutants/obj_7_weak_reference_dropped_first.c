// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(OBJ_7, "the strong side gives up its weak reference before the content is destroyed")
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
  bool last = __atomic_fetch_sub(&object->combined_ref_count, weak, __ATOMIC_ACQ_REL) == weak;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (last) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
