// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_36, "the built-in entry is made anew whenever it is asked for")

static int was_set;

OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  was_set = allocator != NULL;
  return REFERENCE(SetCustomAllocator)(allocator);
}

OVERRIDE(GetCustomAllocator, void)
{
  static TVMFFICustomAllocator entries[2];
  static unsigned turn;
  TVMFFICustomAllocator *entry = REFERENCE(GetCustomAllocator)();
  if (was_set) return entry;
  entries[++turn % 2] = *entry;
  return &entries[turn % 2];
}
