// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_18, "parts behind the sixteenth are dropped")
OVERRIDE(ErrorSetRaisedFromCStrParts, const char *kind, const char **message_parts,
         int32_t num_parts)

{
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts < 16 ? num_parts : 16);
}
