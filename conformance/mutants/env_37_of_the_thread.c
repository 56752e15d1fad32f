// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_37, "a custom allocator is kept for the thread that set it")

static _Thread_local TVMFFICustomAllocator *mine;

OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  mine = allocator;
  return 0;
}

OVERRIDE(GetCustomAllocator, void)
{
  return mine ? mine : REFERENCE(GetCustomAllocator)();
}
