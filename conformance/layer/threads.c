// SPDX-License-Identifier: Apache-2.0
#include "layer/threads.h"

#include <stddef.h>

enum { NOBODY = 0 };

unsigned threads_find_place(void)
{
  atomic_ullong *own = layer_process->own;
  uintptr_t self = threads_pointer();
  uint64_t hash = threads_hash();
  for (unsigned i = 0; i < RING_OWN_MAX; ++i) {
    unsigned place = (unsigned)((hash + i) % RING_OWN_MAX);
    unsigned long long owner = atomic_load_explicit(&own[place], memory_order_relaxed);
    if (owner == self) return place;
    if (owner != NOBODY || !atomic_compare_exchange_strong(&own[place], &owner, self)) continue;
    atomic_store(&layer_process->threads[place].owner, self);
    return place;
  }
  return RING_OWN_MAX;
}

// Of a thread that has no place of its own, until it leaves.
RingThread *threads_enter_shared(void)
{
  enum { PROBES = 8, SHARED = RING_THREADS_MAX - RING_OWN_MAX };
  uintptr_t self = threads_pointer();
  uint64_t hash = threads_hash();
  RingThread *shared = &layer_process->threads[RING_OWN_MAX], *free = NULL;
  for (unsigned i = 0; i < PROBES; ++i) {
    RingThread *thread = &shared[(hash + i) % SHARED];
    unsigned long long owner = atomic_load_explicit(&thread->owner, memory_order_relaxed);
    if (owner == self) return thread;
    if (owner == NOBODY && !free) free = thread;
  }
  unsigned long long none = NOBODY;
  if (!free || !atomic_compare_exchange_strong(&free->owner, &none, self)) return NULL;
  free->last_depth = 0;
  free->forwarded = NULL;
  atomic_store_explicit(&free->depth, 0, memory_order_relaxed);
  return free;
}
