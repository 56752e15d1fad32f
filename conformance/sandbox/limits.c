// SPDX-License-Identifier: Apache-2.0
#include "sandbox/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "sandbox/policy.h"

// Where memory runs out, the kernel ends this process before others.
static void go_first(void)
{
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) errno = 0;
  close(file);
}

int limits_set(void)
{
  go_first();
  for (size_t i = 0; i < policy_limit_count; ++i) {
    struct rlimit limit;
    // The C library's type has 32 bits where its long has.
    uint64_t wanted = policy_limits[i].most;
    rlim_t most = wanted < RLIM_INFINITY ? (rlim_t)wanted : RLIM_INFINITY - 1;
    // (The C library's type for the resource is an enum, or an int.)
    if (getrlimit((unsigned)policy_limits[i].resource, &limit) != 0) return errno;
    if (limit.rlim_cur > most) limit.rlim_cur = most;
    if (limit.rlim_max > most) limit.rlim_max = most;
    if (setrlimit((unsigned)policy_limits[i].resource, &limit) != 0) return errno;
  }
  return 0;
}
