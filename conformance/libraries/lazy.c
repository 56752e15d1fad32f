// SPDX-License-Identifier: Apache-2.0
// A library of whose functions one calls what nobody has.
#include "exported.h"

int conform_nobody_defines_this(void);

MODULE_FUNCTION(self)
{
  return give_integer(result, 200);
}

MODULE_FUNCTION(broken)
{
  return give_integer(result, conform_nobody_defines_this());
}
