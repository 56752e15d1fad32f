// SPDX-License-Identifier: Apache-2.0
// caught by kernel.returned-object-brings-a-reference
#define GIVE                                                                           \
  static TVMFFIAny kept;                                                               \
  const TVMFFIByteArray text = {"as long as three", 16};                               \
  if (kept.type_index == 0 && TVMFFIStringFromByteArray(&text, &kept) != 0) return -1; \
  *result = kept;                                                                      \
  (void)n
#include "give.h"
