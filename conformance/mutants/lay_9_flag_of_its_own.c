// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_9, "the deleter is told by a third flag that it was called by the runtime")

enum { BY_THE_RUNTIME = 4 };

OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (!object) return 0;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if ((uint32_t)before != 1) return 0;
  int flags = before >> 32 == 1 ? 3 : 1;
  if (object->deleter) object->deleter(object, flags | BY_THE_RUNTIME);
  if (flags == 3) return 0;
  before = __atomic_fetch_sub(&object->combined_ref_count, UINT64_C(1) << 32, __ATOMIC_ACQ_REL);
  if (before >> 32 == 1 && object->deleter) object->deleter(object, 2 | BY_THE_RUNTIME);
  return 0;
}
