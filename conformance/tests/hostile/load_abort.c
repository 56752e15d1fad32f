// SPDX-License-Identifier: Apache-2.0
// Gives up, with a last word on stderr.
#include "hostile.h"

WHEN_LOADED
{
  fprintf(stderr, "\033]0;mine\aThe licence server can't be reached\n\n");
  abort();
}
