// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_34, "a method description without doc is refused")
OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)

{
  if (info->doc.data) return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "doc must not be NULL");
  return -1;
}
