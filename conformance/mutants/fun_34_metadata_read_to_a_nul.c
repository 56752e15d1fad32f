// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_34, "the metadata of a method description is read up to a NUL")

static volatile size_t length;

OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)
{
  if (info->metadata.data) length = strlen(info->metadata.data);
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
}
