// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(LAY_9, "the deleter is told by a third flag that it was called by the runtime")

enum { BY_THE_RUNTIME = 4 };

OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (!object) return 0;
  if (drop_strong(object) != 1) return 0;
  int flags = weak_count(object) == 1 ? 3 : 1;
  if (object->deleter) object->deleter(object, flags | BY_THE_RUNTIME);
  if (flags == 3) return 0;
  if (drop_weak(object) == 1 && object->deleter) object->deleter(object, 2 | BY_THE_RUNTIME);
  return 0;
}
