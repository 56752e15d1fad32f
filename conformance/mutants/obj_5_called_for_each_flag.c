// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_5, "the last reference of all runs the deleter twice, with flags 1 and 2")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  const uint64_t weak = (uint64_t)1 << 32;
  if (object == NULL || object->deleter == NULL || object->combined_ref_count != weak + 1)
    return REFERENCE(ObjectDecRef)(obj);
  object->combined_ref_count = weak;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
  object->combined_ref_count = 0;
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  return 0;
}
