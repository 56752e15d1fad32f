// SPDX-License-Identifier: Apache-2.0
#include "sandbox/limits.h"

#include <errno.h>

#include "sandbox/policy.h"

int limits_set(void)
{
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
