// SPDX-License-Identifier: Apache-2.0
// caught by load.unloaded-after-a-call
#include <stdlib.h>

static void at_end(int code, void *value)
{
  (void)code, (void)value;
}

// Belongs to the process, and stays when the library goes: on_exit() knows no libraries.
#define FINALLY                      \
  static bool begun;                 \
  if (!begun) on_exit(at_end, NULL); \
  begun = true;                      \
  return 0
#include "add_one.h"
