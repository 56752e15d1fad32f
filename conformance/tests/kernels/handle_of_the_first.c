// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
#define FIRST         \
  static char *first; \
  if (!first) first = p
#define GIVE first
#include "handle.h"
