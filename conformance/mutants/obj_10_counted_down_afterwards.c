// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_10, "the strong count is lowered when the deleter has run")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || strong_count(object) != 1)
    return REFERENCE(ObjectDecRef)(obj);
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  drop_strong(object);
  if (drop_weak(object) == 1) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
