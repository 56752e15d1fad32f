// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_42, "metadata of a type that does not exist raise an IndexError")
OVERRIDE(TypeRegisterMetadata, int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  int status = REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  if (status != 0 && !TVMFFIGetTypeInfo(type_index))
    TVMFFIErrorSetRaisedFromCStr("IndexError", "no such type");
  return status;
}
