// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_36, "an error of a creator is replaced")

// The types that were registered have one creator.
static TVMFFIObjectCreator create;

static int create_or_complain(TVMFFIObjectHandle *result)
{
  return create(result) == 0 ? 0 : fail("RuntimeError", "the object cannot be made");
}

OVERRIDE(TypeRegisterMetadata, int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  TVMFFITypeMetadata other = *metadata;
  if (metadata->creator) {
    create = metadata->creator;
    other.creator = create_or_complain;
  }
  return REFERENCE(TypeRegisterMetadata)(type_index, &other);
}
