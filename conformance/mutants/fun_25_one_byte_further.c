// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_25, "the byte behind a name is read, for the NUL that is thought to be there")

static volatile char taken;

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  if (name->data) taken = name->data[name->size];
  return REFERENCE(FunctionGetGlobal)(name, out);
}
