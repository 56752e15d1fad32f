// SPDX-License-Identifier: Apache-2.0
// Blocks that end at an unmapped page, in the place of those of the C library. None is used twice:
// what is given back becomes inaccessible.
#include "battery/faults_fence.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 1 << 16, BLOCKS_MAX = 12000, ALIGNMENT = 16 };

bool faults_fenced;

static unsigned char *region;
static unsigned char filling;
static atomic_uint next_page, blocks;
// Of the block that begins in this page of the region, the bytes that were asked for, and 1.
static size_t sizes[PAGES];

static bool overwrites;

bool faults_fence_overwriting(unsigned char fill)
{
  overwrites = faults_fence(fill);
  return overwrites;
}

bool faults_fence(unsigned char fill)
{
  overwrites = false;
  filling = fill;
  if (faults_obstacle) return false;
  if (!region) {
    void *mapping = mmap(NULL, (size_t)PAGES * PAGE, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return false;
    region = mapping;
  }
  faults_fenced = true;
  return true;
}

void faults_unfence(void)
{
  faults_fenced = false;
}

bool faults_fence_pause(void)
{
  const bool fenced = faults_fenced;
  faults_fenced = false;
  return fenced;
}

void faults_fence_resume(bool were)
{
  faults_fenced = were;
}

bool faults_fence_holds(const void *address)
{
  return region && (uintptr_t)address >= (uintptr_t)region &&
         (uintptr_t)address < (uintptr_t)region + (size_t)PAGES * PAGE;
}

static size_t page_of(const void *block)
{
  return ((uintptr_t)block - (uintptr_t)region) / PAGE;
}

void *faults_fence_take(size_t size, size_t alignment)
{
  const size_t step = alignment > ALIGNMENT ? alignment : ALIGNMENT;
  if (size > (size_t)PAGES * PAGE / 4 || step > PAGE) return NULL;
  const size_t room = (size + step - 1) / step * step, pages = (room + PAGE - 1) / PAGE;
  // A page behind each block, and one for blocks of no size.
  const size_t count = pages + 1;
  if (atomic_fetch_add(&blocks, 1) >= BLOCKS_MAX) return NULL;
  const size_t first = atomic_fetch_add(&next_page, (unsigned)count);
  if (first + count > PAGES) return NULL;
  const int before = errno;
  unsigned char *mapping = region + first * PAGE;
  if (pages && mprotect(mapping, pages * PAGE, PROT_READ | PROT_WRITE) != 0) {
    errno = before;
    return NULL;
  }
  errno = before;
  memset(mapping, filling, pages * PAGE);
  unsigned char *block = mapping + pages * PAGE - room;
  sizes[page_of(block)] = size + 1;
  return block;
}

size_t faults_fence_size(const void *block)
{
  const size_t size = sizes[page_of(block)];
  return size ? size - 1 : 0;
}

void faults_fence_drop(void *block)
{
  const size_t page = page_of(block), size = faults_fence_size(block);
  const int before = errno;
  if (!sizes[page]) __builtin_trap();  // no block, or given back twice
  sizes[page] = 0;
  if (size && overwrites)
    ((char *)memset(block, filling, size))[size - 1] = '\0';
  else if (size)
    mprotect(region + page * PAGE, (size + PAGE - 1) / PAGE * PAGE, PROT_NONE);
  errno = before;
}
