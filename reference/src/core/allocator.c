// SPDX-License-Identifier: Apache-2.0
// The custom allocator, which frontends may set and ask for. The objects of this runtime come from
// `malloc` whatever it is (ENV-40).
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/raise.h"

// Stands right before the memory that the built-in allocator gives.
typedef struct {
  void *start;  // own: what is to be freed
  TVMFFIObjectAllocHeader header;
} AllocatorPrefix;

static void allocator_delete_space(void *memory)
{
  if (memory != NULL) free(((AllocatorPrefix *)memory - 1)->start);
}

static void *allocator_allocate(size_t size, size_t alignment, int32_t type_index, void *context)
{
  (void)type_index, (void)context;
  if (alignment & (alignment - 1)) {
    raise_error("ValueError", "allocate: `alignment` must be a power of two", NULL);
    return NULL;
  }
  // The prefix takes the room of one alignment or more, so that what follows it is aligned, too.
  size_t room = sizeof(AllocatorPrefix);
  if (alignment < _Alignof(max_align_t)) alignment = _Alignof(max_align_t);
  if (room < alignment) room = alignment;
  size_t whole = room;
  char *start = NULL;
  if (memory_add(&whole, size) && memory_add(&whole, alignment - 1)) {
    start = aligned_alloc(alignment, whole / alignment * alignment);
  }
  if (start == NULL) {
    raise_out_of_memory();
    return NULL;
  }
  AllocatorPrefix *prefix = (AllocatorPrefix *)(start + room) - 1;
  prefix->start = start;
  prefix->header.delete_space = allocator_delete_space;  // ENV-39
  return start + room;
}

_Static_assert(sizeof(AllocatorPrefix) % _Alignof(max_align_t) == 0 ||
                   sizeof(AllocatorPrefix) < _Alignof(max_align_t),
               "what follows the prefix must be aligned");

static TVMFFICustomAllocator built_in = {.allocate = allocator_allocate};
static _Atomic(TVMFFICustomAllocator *) current;  // NULL for the built-in one

TVMFFICustomAllocator *TVMFFIGetCustomAllocator(void)
{
  TVMFFICustomAllocator *allocator = atomic_load_explicit(&current, memory_order_acquire);
  return allocator == NULL ? &built_in : allocator;  // ENV-36
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator *allocator)
{
  if (allocator != NULL && allocator->allocate == NULL) {
    return raise_null(__func__, "allocator->allocate");
  }
  atomic_store_explicit(&current, allocator, memory_order_release);  // ENV-37, ENV-38
  return 0;
}
