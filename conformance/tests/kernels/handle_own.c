// SPDX-License-Identifier: Apache-2.0
// passes
// Of memory that is its own nothing can be said but that it is there.
#include <stdlib.h>

#define FIRST                     \
  static _Thread_local char *own; \
  if (!own) own = malloc(1)
#define GIVE own
#include "handle.h"
