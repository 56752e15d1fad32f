// SPDX-License-Identifier: Apache-2.0
// passes
#define GIVE                                                                             \
  const TVMFFIByteArray text = {n == 3 ? "as long as three" : "other", n == 3 ? 16 : 5}; \
  if (TVMFFIStringFromByteArray(&text, result) != 0) return -1
#include "give.h"
