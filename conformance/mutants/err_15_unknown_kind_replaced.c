// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_15, "a kind that is not the name of an error class becomes RuntimeError")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  size_t size = strlen(kind);
  int known = size > 5 && strcmp(kind + size - 5, "Error") == 0;
  REFERENCE(ErrorSetRaisedFromCStr)(known ? kind : "RuntimeError", message);
}
