// SPDX-License-Identifier: Apache-2.0
// Sizes of memory to ask for, when part of them comes from callers.
#ifndef REFERENCE_SRC_CORE_MEMORY_H_
#define REFERENCE_SRC_CORE_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Adds to a size. Returns false if the sum is more than any object can have; it is of no use then.
static inline bool memory_add(size_t *size, size_t more)
{
  return !__builtin_add_overflow(*size, more, size) && *size <= PTRDIFF_MAX;
}

// Returns zeroed memory of a small size; NULL if there is none. glibc keeps blocks that were freed for
// the thread, and gives them to malloc, not to calloc.
static inline void *memory_zeroed(size_t size)
{
  void *memory = malloc(size);
  return memory == NULL ? NULL : memset(memory, 0, size);
}

#endif  // REFERENCE_SRC_CORE_MEMORY_H_
