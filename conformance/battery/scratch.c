// SPDX-License-Identifier: Apache-2.0
#include "battery/scratch.h"

#include <stdio.h>
#include <stdlib.h>

#include "battery/expect.h"

void scratch_folder(char folder[SCRATCH_FOLDER_MAX])
{
  const char *temporary = getenv("TMPDIR");
  int length = snprintf(folder, SCRATCH_FOLDER_MAX, "%s/conform.XXXXXX",
                        temporary && *temporary ? temporary : "/tmp");
  if (length >= SCRATCH_FOLDER_MAX || !mkdtemp(folder)) case_inconclusive("no folder to write to");
}
