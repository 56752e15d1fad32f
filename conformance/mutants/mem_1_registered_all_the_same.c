// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_1, "a field for which there is no memory is said to be registered")
OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  void *place = malloc(sizeof *info);
  free(place);
  return place ? REFERENCE(TypeRegisterField)(type_index, info) : 0;
}
