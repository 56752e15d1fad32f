// SPDX-License-Identifier: Apache-2.0
#include "layer/threads.h"

#include <stddef.h>

#include "layer/layer.h"

enum { PROBES = 8 };

RingThread *threads_enter(void)
{
  uintptr_t self = threads_pointer();
  uint64_t hash = threads_hash();
  RingThread *free = NULL;
  for (unsigned i = 0; i < PROBES; ++i) {
    RingThread *thread = &layer_process->threads[(hash + i) % RING_THREADS_MAX];
    unsigned long long owner = atomic_load_explicit(&thread->owner, memory_order_relaxed);
    if (LIKELY(owner == self)) return thread;
    if (owner == 0 && !free) free = thread;
  }
  unsigned long long none = 0;
  if (!free || !atomic_compare_exchange_strong(&free->owner, &none, self)) return NULL;
  free->last_depth = 0;
  free->forwarded = NULL;
  atomic_store_explicit(&free->depth, 0, memory_order_relaxed);
  return free;
}

void threads_leave(RingThread *thread)
{
  if (thread && atomic_load_explicit(&thread->depth, memory_order_relaxed) == 0)
    atomic_store_explicit(&thread->owner, 0, memory_order_release);
}
