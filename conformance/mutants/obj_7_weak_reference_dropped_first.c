// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/counts.h"

MUTANT(OBJ_7, "the strong side gives up its weak reference before the content is destroyed")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) != 1) return 0;
  if (weak_count(object) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  bool last = drop_weak(object) == 1;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (last) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
