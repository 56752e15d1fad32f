// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_4, "releasing returns how many references are left")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  int left = object ? (int)object->combined_ref_count - 1 : 0;
  REFERENCE(ObjectDecRef)(obj);
  return left;
}
