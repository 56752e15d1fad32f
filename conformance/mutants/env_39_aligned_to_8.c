// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_39, "what the built-in entry gives is aligned to 8 bytes")

static TVMFFICustomAllocator *built_in;

static void let_go(void *memory)
{
  free((char *)memory - sizeof(TVMFFIObjectAllocHeader));
}

static void *allocate(size_t size, size_t alignment, int32_t type_index, void *context)
{
  (void)alignment, (void)type_index, (void)context;
  TVMFFIObjectAllocHeader *header = malloc(sizeof *header + size);
  if (!header) return NULL;
  header->delete_space = let_go;
  return header + 1;
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
