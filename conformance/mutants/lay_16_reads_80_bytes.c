// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_16, "a method description is taken to be 80 bytes long")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *method_info, int allow_override)
{
  volatile char copy[80];
  for (size_t i = 0; i < sizeof copy; ++i) copy[i] = ((const volatile char *)method_info)[i];
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
}
