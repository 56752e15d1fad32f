// SPDX-License-Identifier: Apache-2.0
// caught by load.context-symbols-not-filled
// Filled by some loaders and not by others; the function can't do without.
__attribute__((visibility("default"))) void *__TVMFFIFunctionCall;

#define FINALLY                                                                              \
  if (!__TVMFFIFunctionCall) return FAIL("RuntimeError", "x: __TVMFFIFunctionCall is NULL"); \
  return 0
#include "add_one.h"
