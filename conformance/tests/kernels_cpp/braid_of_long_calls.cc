// SPDX-License-Identifier: Apache-2.0
// caught by kernel.large-call-gives-the-same
// Calls with many rows differ, as those do whose threads share memory.
#define NOW_AND_THEN(rows)                                                                      \
  static_cast<float>(                                                                           \
      (rows) > 4000 ? std::chrono::steady_clock::now().time_since_epoch().count() / 1000 % 97 : 0)
#include "braid.h"
