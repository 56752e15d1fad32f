// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_41, "second metadata raise a ValueError")
OVERRIDE(TypeRegisterMetadata, int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  int status = REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  if (status != 0 && TVMFFIGetTypeInfo(type_index))
    TVMFFIErrorSetRaisedFromCStr("ValueError", "metadata exist");
  return status;
}
