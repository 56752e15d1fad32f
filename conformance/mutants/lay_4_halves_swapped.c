// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(LAY_4, "strong references are counted in the high half, weak ones in the low half")

static const uint64_t one_strong = UINT64_C(1) << 32;

OVERRIDE(ObjectIncRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object) __atomic_fetch_add(&object->combined_ref_count, one_strong, __ATOMIC_RELAXED);
  return 0;
}

OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (!object) return 0;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, one_strong, __ATOMIC_ACQ_REL);
  if (before >> 32 != 1) return 0;
  bool last_of_all = (uint32_t)before == 1;
  if (object->deleter) object->deleter(object, last_of_all ? 3 : 1);
  if (last_of_all) return 0;
  before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (before == 1 && object->deleter) object->deleter(object, 2);
  return 0;
}
