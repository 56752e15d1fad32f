// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_30, "for every value that is converted a record is made, and those of objects stay")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  static void *volatile record;
  record = malloc(sizeof *view);
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status != 0 || out->type_index < kTVMFFIStaticObjectBegin) free(record);
  return status;
}
