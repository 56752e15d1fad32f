// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_39, "in front of what the built-in entry gives stands no function")

static TVMFFICustomAllocator *built_in;

static void *allocate(size_t size, size_t alignment, int32_t type_index, void *context)
{
  TVMFFIObjectAllocHeader *memory = built_in->allocate(size, alignment, type_index, context);
  if (memory) memory[-1].delete_space = NULL;
  return memory;
}

static TVMFFICustomAllocator entry = {allocate, NULL};

OVERRIDE(GetCustomAllocator, void)
{
  TVMFFICustomAllocator *now = REFERENCE(GetCustomAllocator)();
  return now == built_in ? &entry : now;
}

__attribute__((constructor)) static void remember(void)
{
  built_in = REFERENCE(GetCustomAllocator)();
}
