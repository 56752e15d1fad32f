// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

// The sleep between the two stands for the interruptions of a busy machine.
MUTANT(OBJ_14, "whether a reference was the last is read from the count after it was lowered")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  const uint64_t weak = (uint64_t)1 << 32;
  if (object == NULL || object->deleter == NULL || object->combined_ref_count >> 32 != 1)
    return REFERENCE(ObjectDecRef)(obj);
  uint64_t left = __atomic_sub_fetch(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (left < weak + 2 && object->type_index >= kTVMFFIDynObjectBegin) usleep(1);
  if (__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) == weak)
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
