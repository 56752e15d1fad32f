// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_36, "a method description never replaces what is registered")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  (void)allow_override;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, 0);
}
