// SPDX-License-Identifier: Apache-2.0
// caught by load.loading-installs-no-handler
#include <signal.h>

static void ignore(int number)
{
  (void)number;
}

__attribute__((constructor)) static void begin(void)
{
  signal(SIGUSR2, ignore);
}
#include "add_one.h"
