// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_20, "without parts nothing is raised")
OVERRIDE(ErrorSetRaisedFromCStrParts, const char *kind, const char **message_parts,
         int32_t num_parts)

{
  if (num_parts > 0) REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts);
}
