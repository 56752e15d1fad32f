// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_5, "the last reference of all runs the deleter twice, with flags 1 and 2")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || !is_only_reference(object))
    return REFERENCE(ObjectDecRef)(obj);
  set_counts(object, 0, 1);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  set_counts(object, 0, 0);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
