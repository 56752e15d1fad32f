// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_37, "a custom allocator is copied")
OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  static TVMFFICustomAllocator copy;
  if (!allocator) return REFERENCE(SetCustomAllocator)(NULL);
  copy = *allocator;
  return REFERENCE(SetCustomAllocator)(&copy);
}
