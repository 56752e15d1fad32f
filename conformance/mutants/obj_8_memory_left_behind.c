// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_8, "the memory stays when the weak references go while the content is destroyed")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) != 1) return 0;
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  drop_weak(object);
  return 0;
}
