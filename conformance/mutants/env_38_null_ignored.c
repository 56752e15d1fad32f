// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_38, "a custom allocator can be replaced and not removed")
OVERRIDE(SetCustomAllocator, TVMFFICustomAllocator *allocator)
{
  return allocator ? REFERENCE(SetCustomAllocator)(allocator) : 0;
}
