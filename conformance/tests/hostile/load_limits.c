// SPDX-License-Identifier: Apache-2.0
// Lifts every limit of its process that it may lift, and lowers the others.
#include "hostile.h"

WHEN_LOADED
{
  struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY}, little = {0, 0};
  setrlimit(RLIMIT_AS, &none);
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_STACK, &none);
  setrlimit(RLIMIT_FSIZE, &little);
  setrlimit(RLIMIT_NOFILE, &little);
}
