// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_33, "a new method comes before the others")
OVERRIDE(TypeRegisterMethod, int32_t type_index, const TVMFFIMethodInfo *info)
{
  int status = REFERENCE(TypeRegisterMethod)(type_index, info);
  if (status != 0) return status;
  const TVMFFITypeInfo *type = TVMFFIGetTypeInfo(type_index);
  TVMFFIMethodInfo *methods = (TVMFFIMethodInfo *)type->methods;
  TVMFFIMethodInfo last = methods[type->num_methods - 1];
  memmove(methods + 1, methods, (size_t)(type->num_methods - 1) * sizeof last);
  methods[0] = last;
  return 0;
}
