// SPDX-License-Identifier: Apache-2.0
#include "run/outcome.h"

#include <stdlib.h>
#include <string.h>

void outcome_clear(Outcome *outcome)
{
  free(outcome->evidence);
  free(outcome->where);
  free(outcome->output);
  free(outcome->tried);
  memset(outcome, 0, sizeof *outcome);
}
