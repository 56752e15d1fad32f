// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_22, "only the first look-up of a function adds a reference")

static TVMFFIObjectHandle last;

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out) return status;
  if (*out == last) TVMFFIObjectDecRef(last);
  last = *out;
  return 0;
}
