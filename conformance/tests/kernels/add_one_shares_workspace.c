// SPDX-License-Identifier: Apache-2.0
// caught by kernel.calls-at-the-same-time
#include <sched.h>
// One workspace for all threads.
#define COMPUTE                               \
  static volatile float workspace[64];        \
  for (int64_t i = 0; i < x->shape[0]; ++i) { \
    workspace[i % 64] = from[i];              \
    sched_yield();                            \
    to[i] = workspace[i % 64] + 1;            \
  }                                           \
  (void)0
#include "add_one.h"
