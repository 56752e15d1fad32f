// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_6, "the last strong reference frees the memory, though weak ones are left")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL) return REFERENCE(ObjectDecRef)(obj);
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before == 1) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
