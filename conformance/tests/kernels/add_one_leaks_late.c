// SPDX-License-Identifier: Apache-2.0
// caught by kernel.wrong-argument-leaks-nothing
#include <stdlib.h>

static void *volatile workspace;
#define FIRST \
  if (num_args == 2) workspace = malloc(64)
#define FINALLY            \
  free((void *)workspace); \
  return 0
#include "add_one.h"
