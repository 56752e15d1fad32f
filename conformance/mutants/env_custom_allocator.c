// SPDX-License-Identifier: Apache-2.0
// Mutants of the custom allocator of objects.
#include "mutants/deleter.h"

static int was_set;
static TVMFFICustomAllocator *built_in;

MUTANT_WITHOUT(ENV_2, never_set, SetCustomAllocator,
               "the custom allocator can be asked for and not set");

MUTANT(ENV_36, made_anew, SetCustomAllocator, "the built-in entry is created again by each look-up")
{
  was_set = allocator != NULL;
  return REFERENCE(SetCustomAllocator)(allocator);
}

ALSO(ENV_36, made_anew, GetCustomAllocator)
{
  static TVMFFICustomAllocator entries[2];
  static unsigned turn;
  TVMFFICustomAllocator *entry = REFERENCE(GetCustomAllocator)();
  if (was_set) return entry;
  entries[++turn % 2] = *entry;
  return &entries[turn % 2];
}

MUTANT(ENV_36, none_at_first, SetCustomAllocator, "there is no custom allocator before one is set")
{
  was_set = allocator != NULL;
  return REFERENCE(SetCustomAllocator)(allocator);
}

ALSO(ENV_36, none_at_first, GetCustomAllocator)
{
  return was_set ? REFERENCE(GetCustomAllocator)() : NULL;
}

MUTANT(ENV_37, copied, SetCustomAllocator, "a custom allocator is copied")
{
  static TVMFFICustomAllocator copy;
  if (!allocator) return REFERENCE(SetCustomAllocator)(NULL);
  copy = *allocator;
  return REFERENCE(SetCustomAllocator)(&copy);
}

static _Thread_local TVMFFICustomAllocator *mine;

MUTANT(ENV_37, of_the_thread, SetCustomAllocator,
       "a custom allocator is kept for the thread that set it")
{
  mine = allocator;
  return 0;
}

ALSO(ENV_37, of_the_thread, GetCustomAllocator)
{
  return mine ? mine : REFERENCE(GetCustomAllocator)();
}

MUTANT(ENV_38, null_ignored, SetCustomAllocator,
       "a custom allocator can be replaced and not removed")
{
  return allocator ? REFERENCE(SetCustomAllocator)(allocator) : 0;
}

static void let_go(void *memory)
{
  free((char *)memory - sizeof(TVMFFIObjectAllocHeader));
}

static void *allocate_aligned_to_8(size_t size, size_t alignment, int32_t type_index, void *context)
{
  (void)alignment, (void)type_index, (void)context;
  TVMFFIObjectAllocHeader *header = malloc(sizeof *header + size);
  if (!header) return NULL;
  header->delete_space = let_go;
  return header + 1;
}

static TVMFFICustomAllocator aligned_to_8 = {allocate_aligned_to_8, NULL};

MUTANT(ENV_39, aligned_to_8, GetCustomAllocator,
       "what the built-in entry gives is aligned to 8 bytes")
{
  TVMFFICustomAllocator *now = REFERENCE(GetCustomAllocator)();
  return now == built_in ? &aligned_to_8 : now;
}

AT_LOAD(ENV_39, aligned_to_8)
{
  built_in = REFERENCE(GetCustomAllocator)();
}

static void *allocate_for_good(size_t size, size_t alignment, int32_t type_index, void *context)
{
  TVMFFIObjectAllocHeader *memory = built_in->allocate(size, alignment, type_index, context);
  if (memory) memory[-1].delete_space = NULL;
  return memory;
}

static TVMFFICustomAllocator for_good = {allocate_for_good, NULL};

MUTANT(ENV_39, no_way_to_free, GetCustomAllocator,
       "in front of what the built-in entry gives stands no function")
{
  TVMFFICustomAllocator *now = REFERENCE(GetCustomAllocator)();
  return now == built_in ? &for_good : now;
}

AT_LOAD(ENV_39, no_way_to_free)
{
  built_in = REFERENCE(GetCustomAllocator)();
}

static TVMFFICustomAllocator *custom;

static void free_by_force(void *self, int flags)
{
  if (!custom) {
    inner_deleter(self, flags);
    return;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong)
    inner_deleter(self, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    ((TVMFFIObjectAllocHeader *)self)[-1].delete_space(self);
}

MUTANT(ENV_40, freed_by_the_one_in_force, SetCustomAllocator,
       "functions are freed by the allocator that is in force when they die")
{
  custom = allocator;
  return REFERENCE(SetCustomAllocator)(allocator);
}

ALSO(ENV_40, freed_by_the_one_in_force, FunctionCreate)
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0) return status;
  replace_deleter(*out, free_by_force);
  return 0;
}
