// SPDX-License-Identifier: Apache-2.0
// A library that depends on one that does not exist (see CMakeLists.txt).
#include "exported.h"

extern int64_t conform_of_missing;

MODULE_FUNCTION(self)
{
  return give_integer(result, conform_of_missing);
}
