// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(OBJ_4, "releasing returns how many references are left")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  int left = object ? (int)strong_count(object) - 1 : 0;
  REFERENCE(ObjectDecRef)(obj);
  return left;
}
