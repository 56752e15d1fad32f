// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_62, "symbols that are registered after a system library was asked for are not in it")
static int asked;

REGISTERED("ffi.SystemLib")
{
  asked = 1;
  return ORIGINAL(args, num_args, result);
}

OVERRIDE(EnvModRegisterSystemLibSymbol, const char *name, void *symbol)
{
  return asked ? 0 : REFERENCE(EnvModRegisterSystemLibSymbol)(name, symbol);
}
