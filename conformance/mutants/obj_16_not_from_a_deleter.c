// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(OBJ_16, "an object that is released by a deleter stays")
OVERRIDE(ObjectDecRef, TVMFFIObjectHandle obj)
{
  static _Thread_local bool deleting;
  if (deleting) return 0;
  deleting = true;
  int status = REFERENCE(ObjectDecRef)(obj);
  deleting = false;
  return status;
}
