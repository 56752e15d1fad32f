// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

// What anybody asks for, at once and together: with -rdynamic the runtime asks here.
static struct {
  size_t largest;
  long held, most;
  int refuse;  // the request that is refused, counted from 1 behind this one; 0: none
} memory;

static int is_refused(void)
{
  return memory.refuse > 0 && --memory.refuse == 0;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

static void *took(void *block, size_t size)
{
  if (size > memory.largest) memory.largest = size;
  memory.held += (long)malloc_usable_size(block);
  if (memory.held > memory.most) memory.most = memory.held;
  return block;
}

void *malloc(size_t size)
{
  if (is_refused()) return NULL;
  return took(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
  if (is_refused()) return NULL;
  return took(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size)
{
  if (is_refused()) return NULL;
  long before = (long)malloc_usable_size(block);
  void *moved = __libc_realloc(block, size);
  if (moved || !size) memory.held -= before;
  return took(moved, size);
}

void free(void *block)
{
  memory.held -= (long)malloc_usable_size(block);
  __libc_free(block);
}
