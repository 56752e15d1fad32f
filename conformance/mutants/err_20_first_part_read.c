// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_20, "the first part is read though there is none")
OVERRIDE(ErrorSetRaisedFromCStrParts, const char *kind, const char **message_parts,
         int32_t num_parts)

{
  if (message_parts != NULL) (void)*(const char *volatile *)message_parts;
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts);
}
