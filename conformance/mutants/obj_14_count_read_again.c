// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <unistd.h>

#include "mutants/counts.h"

// The wait between the two stands for the interruptions of a busy machine: whoever drops the last
// reference but one is held up until somebody drops the last, or a while.
MUTANT(OBJ_14, "whether a reference was the last is read from the count after it was lowered")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object == NULL || object->deleter == NULL || weak_count(object) != 1)
    return REFERENCE(ObjectDecRef)(obj);
  uint64_t left = drop_strong(object) - 1;
  bool waits = left == 1 && object->type_index >= kTVMFFIDynObjectBegin;
  for (int i = 0; waits && i < 20 && strong_count(object) != 0; ++i) usleep(50);
  if (strong_count(object) == 0 && weak_count(object) == 1)
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
