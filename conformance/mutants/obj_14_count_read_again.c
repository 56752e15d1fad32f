// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/counts.h"

// The sleep between the two stands for the interruptions of a busy machine.
MUTANT(OBJ_14, "whether a reference was the last is read from the count after it was lowered")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || weak_count(object) != 1)
    return REFERENCE(ObjectDecRef)(obj);
  uint64_t left = drop_strong(object) - 1;
  if (left < 2 && object->type_index >= kTVMFFIDynObjectBegin) usleep(1);
  if (strong_count(object) == 0 && weak_count(object) == 1)
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
