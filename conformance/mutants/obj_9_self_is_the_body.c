// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_9, "the deleter of a type of somebody else gets the address behind the header")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || object->type_index < kTVMFFIDynObjectBegin ||
      !is_only_reference(object))
    return REFERENCE(ObjectDecRef)(obj);
  set_counts(object, 0, 1);
  object->deleter(object + 1, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
