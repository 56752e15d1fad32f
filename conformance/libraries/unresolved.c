// SPDX-License-Identifier: Apache-2.0
// A library that can't be loaded: it refers to a variable that nobody has.
#include "exported.h"

extern int64_t conform_nobody_has_this;

// Its address is data: some dynamic linkers (musl's) put off what is missing where only code wants
// it.
EXPORTED int64_t *conform_place_of_this = &conform_nobody_has_this;

MODULE_FUNCTION(self)
{
  return give_integer(result, *conform_place_of_this);
}
