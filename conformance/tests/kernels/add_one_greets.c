// SPDX-License-Identifier: Apache-2.0
// caught by load.loading-writes-nothing
#include <stdio.h>

__attribute__((constructor)) static void begin(void)
{
  fputs("add_one is here\n", stderr);
}
#include "add_one.h"
