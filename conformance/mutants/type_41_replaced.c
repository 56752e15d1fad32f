// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_41, "second metadata take the place of the first")
OVERRIDE(TypeRegisterMetadata, int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(type_index);
  if (!info || !info->metadata) return REFERENCE(TypeRegisterMetadata)(type_index, metadata);
  TVMFFITypeMetadata *stored = (TVMFFITypeMetadata *)info->metadata;
  stored->creator = metadata->creator;
  stored->total_size = metadata->total_size;
  return 0;
}
