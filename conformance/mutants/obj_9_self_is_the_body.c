// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_9, "the deleter of a type of somebody else gets the address behind the header")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  const uint64_t only = ((uint64_t)1 << 32) + 1;
  if (object == NULL || object->deleter == NULL || object->type_index < kTVMFFIDynObjectBegin ||
      object->combined_ref_count != only)
    return REFERENCE(ObjectDecRef)(obj);
  object->combined_ref_count = only - 1;
  object->deleter(object + 1, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
