// SPDX-License-Identifier: Apache-2.0
#include "battery/clock.h"

#include <time.h>

double clock_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double since;

void clock_start_again(void)
{
  since = 0;
}

bool clock_leaves(double seconds)
{
  if (since == 0) since = clock_seconds();
  return clock_seconds() - since < seconds;
}
