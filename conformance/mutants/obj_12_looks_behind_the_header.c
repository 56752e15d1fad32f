// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(OBJ_12, "releasing an object looks at the word behind its header")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  TVMFFIObject *object = obj;
  if (object != NULL) (void)*(volatile uint64_t *)(object + 1);
  return REFERENCE(ObjectDecRef)(obj);
}
