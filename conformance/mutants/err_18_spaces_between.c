// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_18, "a space is put between the parts of a message")
OVERRIDE(ErrorSetRaisedFromCStrParts, const char *kind, const char **message_parts,
         int32_t num_parts)

{
  const char *spaced[64];
  int32_t count = 0;
  if (num_parts > 32) {
    REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts);
    return;
  }
  for (int32_t i = 0; i < num_parts; ++i) {
    if (message_parts[i] == NULL || message_parts[i][0] == 0) continue;
    if (count > 0) spaced[count++] = " ";
    spaced[count++] = message_parts[i];
  }
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, spaced, count);
}
