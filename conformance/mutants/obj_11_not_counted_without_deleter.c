// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_11, "an object without a deleter is taken for immortal and not counted")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object != NULL && object->deleter == NULL) return 0;
  return REFERENCE(ObjectDecRef)(obj);
}
