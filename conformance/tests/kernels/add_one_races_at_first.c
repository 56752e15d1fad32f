// SPDX-License-Identifier: Apache-2.0
// caught by kernel.first-call-in-many-threads
#include <unistd.h>
// "Begun" is set before what it stands for is there.
#define FINALLY                                                       \
  static volatile bool begun, ready;                                  \
  if (!begun) {                                                       \
    begun = true;                                                     \
    usleep(20000);                                                    \
    ready = true;                                                     \
  }                                                                   \
  if (!ready) return FAIL("RuntimeError", "x: add_one is not ready"); \
  return 0
#include "add_one.h"
