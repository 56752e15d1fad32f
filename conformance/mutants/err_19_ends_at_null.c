// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_19, "a part that is NULL ends the message")
OVERRIDE(ErrorSetRaisedFromCStrParts, const char *kind, const char **message_parts,
         int32_t num_parts)

{
  int32_t count = 0;
  while (count < num_parts && message_parts[count] != NULL) ++count;
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, count);
}
