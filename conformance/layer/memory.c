// SPDX-License-Identifier: Apache-2.0
#include "layer/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#include "layer/layer.h"

enum { PAGE_BITS = 12, KNOWN = 4096 };

static _Atomic uintptr_t known[KNOWN];  // numbers of pages that were mapped

static bool is_page_mapped(uintptr_t page)
{
  if (page == 0) return false;
  _Atomic uintptr_t *place = &known[page % KNOWN];
  if (LIKELY(atomic_load_explicit(place, memory_order_relaxed) == page)) return true;
  int saved = errno;
  unsigned char resident;
  bool absent = mincore((void *)(page << PAGE_BITS), 1, &resident) != 0 && errno == ENOMEM;
  errno = saved;
  if (!absent) atomic_store_explicit(place, page, memory_order_relaxed);
  return !absent;
}

bool memory_is_mapped(const void *start, size_t size)
{
  uintptr_t first = (uintptr_t)start >> PAGE_BITS,
            last = ((uintptr_t)start + size - 1) >> PAGE_BITS;
  return is_page_mapped(first) && (first == last || is_page_mapped(last));
}
