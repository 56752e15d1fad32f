// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_15, "what is not ASCII in a message becomes a question mark")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  char *copy = strdup(message);
  if (copy == NULL) abort();
  for (char *at = copy; *at != 0; ++at) {
    if ((unsigned char)*at > 127) *at = '?';
  }
  REFERENCE(ErrorSetRaisedFromCStr)(kind, copy);
  free(copy);
}
