// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_6, "the last strong reference frees the memory, though weak ones are left")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  if (drop_strong(object) == 1) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
