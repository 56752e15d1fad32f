// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_36, "there is no custom allocator before one is set")

static int was_set;

OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  was_set = allocator != NULL;
  return REFERENCE(SetCustomAllocator)(allocator);
}

OVERRIDE(GetCustomAllocator, void)
{
  return was_set ? REFERENCE(GetCustomAllocator)() : NULL;
}
