// SPDX-License-Identifier: Apache-2.0
// passes
#include <stdlib.h>

// As another build (--same-as) it ends the process that loads it.
__attribute__((constructor)) static void begin(void)
{
  if (getenv("TVMFFI_CONFORM_SAME_AS")) abort();
}

#include "add_one.h"
