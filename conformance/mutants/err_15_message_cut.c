// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "mutants/mutant.h"

MUTANT(ERR_15, "a message is cut after 1023 bytes")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  char buffer[1024];
  snprintf(buffer, sizeof buffer, "%s", message);
  REFERENCE(ErrorSetRaisedFromCStr)(kind, buffer);
}
