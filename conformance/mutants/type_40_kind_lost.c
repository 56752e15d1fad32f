// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_40, "the kind of structural equality is lost")
OVERRIDE(TypeRegisterMetadata, int32_t type_index, const TVMFFITypeMetadata *metadata)
{
  TVMFFITypeMetadata stored = *metadata;
  stored.structural_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  return REFERENCE(TypeRegisterMetadata)(type_index, &stored);
}
