// SPDX-License-Identifier: Apache-2.0
// passes
// with pointers of 32 bits: caught by kernel.result-unused-bytes-are-zero
// As give_dirty_pointer.c, with an object.
#define GIVE                                                                           \
  TVMFFIAny made;                                                                      \
  const TVMFFIByteArray text = {n == 3 ? "as long as three" : "as long as other", 16}; \
  if (TVMFFIStringFromByteArray(&text, &made) != 0) return -1;                         \
  give_value(result, made.type_index, UINT64_MAX);                                     \
  result->v_obj = made.v_obj
#include "give.h"
