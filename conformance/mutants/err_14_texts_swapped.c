// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_14, "kind and message change places")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  REFERENCE(ErrorSetRaisedFromCStr)(message, kind);
}
