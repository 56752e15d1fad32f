// SPDX-License-Identifier: Apache-2.0
// A target with one flaw, which an input shows that begins with 'X'.
#include <limits.h>
#include <string.h>

#include "fuzz_target.h"

enum { FLAW_NONE, FLAW_PROMISE, FLAW_ADDRESS, FLAW_UNDEFINED, FLAW_LEAK };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static volatile int number;
  void *volatile lost;
  if (size == 0 || data[0] != 'X') return 0;
  if (FLAW == FLAW_PROMISE) FUZZ_CHECK(size == 0);
  if (FLAW == FLAW_ADDRESS) number = data[size];
  if (FLAW == FLAW_UNDEFINED) number = INT_MAX - 'X' + 1 + data[0];
  if (FLAW == FLAW_LEAK) {
    lost = malloc(size);
    lost = NULL;
  }
  return 0;
}
