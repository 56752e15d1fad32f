// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_5, "all empty arrays are one object")

static TVMFFIAny empty;

REGISTERED("ffi.Array")
{
  if (num_args != 0) return ORIGINAL(args, num_args, result);
  if (!empty.v_obj && ORIGINAL(args, 0, &empty) != 0) return -1;
  TVMFFIObjectIncRef(empty.v_obj);
  *result = empty;
  return 0;
}
