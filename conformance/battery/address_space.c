// SPDX-License-Identifier: Apache-2.0
#include "battery/address_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static const rlim_t more = (rlim_t)2 << 30;

void address_space_limit(void)
{
  if (getenv("TVMFFI_CONFORM_NO_MEMORY_LIMIT")) return;
  unsigned long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "re");
  if (statm) {
    if (fscanf(statm, "%lu", &pages) != 1) pages = 0;
    fclose(statm);
  }
  const rlim_t now = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
  if (pages) setrlimit(RLIMIT_AS, &(struct rlimit){now + more, now + more});
}
