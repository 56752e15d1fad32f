// SPDX-License-Identifier: Apache-2.0
// caught by buffer.nothing-is-kept
#define FINALLY                         \
  static const DLTensor *last;          \
  bool again = last && last->ndim == 1; \
  last = x;                             \
  (void)again;                          \
  return again && last->ndim != 1
#include "add_one.h"
