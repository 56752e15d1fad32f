// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_30, "a copy of the kind is lost with every error of C strings")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  static void **lost;
  void **block = malloc(strlen(kind) + sizeof *block);
  if (block != NULL) *block = lost;
  lost = block;
  REFERENCE(ErrorSetRaisedFromCStr)(kind, message);
}
