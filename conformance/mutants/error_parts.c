// SPDX-License-Identifier: Apache-2.0
// Mutants of errors made of message parts.
#include "mutants/mutant.h"

MUTANT(ERR_18, at_most_16, ErrorSetRaisedFromCStrParts, "parts behind the sixteenth are dropped")
{
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts < 16 ? num_parts : 16);
}

MUTANT(ERR_18, spaces_between, ErrorSetRaisedFromCStrParts,
       "a space is put between the parts of a message")
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

MUTANT(ERR_19, ends_at_null, ErrorSetRaisedFromCStrParts, "a part that is NULL ends the message")
{
  int32_t count = 0;
  while (count < num_parts && message_parts[count] != NULL) ++count;
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, count);
}

MUTANT(ERR_20, first_part_read, ErrorSetRaisedFromCStrParts,
       "the first part is read though there is none")
{
  if (message_parts != NULL) (void)*(const char *volatile *)message_parts;
  REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts);
}

MUTANT(ERR_20, nothing_raised, ErrorSetRaisedFromCStrParts, "without parts nothing is raised")
{
  if (num_parts > 0) REFERENCE(ErrorSetRaisedFromCStrParts)(kind, message_parts, num_parts);
}
