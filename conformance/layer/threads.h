// SPDX-License-Identifier: Apache-2.0
// What the layer keeps of each thread, without thread-local storage.
#ifndef TVMFFI_CONFORMANCE_LAYER_THREADS_H_
#define TVMFFI_CONFORMANCE_LAYER_THREADS_H_

#include "layer/layer.h"

// An address that only this thread has.
static inline uintptr_t threads_pointer(void)
{
#if defined __x86_64__
  uintptr_t pointer;
  __asm__("mov %%fs:0, %0" : "=r"(pointer));
  return pointer;
#else
  return (uintptr_t)__builtin_thread_pointer();
#endif
}

static inline uint64_t threads_hash(void)
{
  return (threads_pointer() * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
}

// Of a thread that has no place yet, or whose place is not the first that is looked at. RING_OWN_MAX: all
// places are those of others.
unsigned threads_find_place(void);

// The place of the calling thread, where it is the first that is looked at; else RING_OWN_MAX.
static inline unsigned threads_own_place(void)
{
  unsigned place = (unsigned)(threads_hash() % RING_OWN_MAX);
  unsigned long long owner = atomic_load_explicit(&layer_process->own[place], memory_order_relaxed);
  return LIKELY(owner == threads_pointer()) ? place : RING_OWN_MAX;
}

// The first threads of a process keep their places, so that finding and leaving one takes no atomic
// operation. A thread that ended leaves its place to the one that has its address next.
static inline unsigned threads_place(void)
{
  unsigned place = threads_own_place();
  return LIKELY(place < RING_OWN_MAX) ? place : threads_find_place();
}

RingThread *threads_enter_shared(void);

// The place of the calling thread, or NULL if too many are inside of calls.
static inline RingThread *threads_enter(void)
{
  unsigned place = threads_place();
  return LIKELY(place < RING_OWN_MAX) ? &layer_process->threads[place] : threads_enter_shared();
}

// What threads_enter gave, when the call is over that it was entered for.
static inline void threads_leave(RingThread *thread)
{
  if (thread && thread >= &layer_process->threads[RING_OWN_MAX] &&
      atomic_load_explicit(&thread->depth, memory_order_relaxed) == 0)
    atomic_store_explicit(&thread->owner, 0, memory_order_release);
}

// Counters that are a thread's own are written by nobody else, without an atomic operation.
static inline void threads_count(atomic_ullong *counter, bool own)
{
  if (LIKELY(own))
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
  else
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// Where the calling thread counts.
static inline RingCounters *threads_counters(bool *own)
{
  unsigned place = threads_place();
  *own = place < RING_OWN_MAX;
  return &layer_process->counters[*own ? place : RING_OWN_MAX + threads_hash() % RING_SHARED];
}

#endif  // TVMFFI_CONFORMANCE_LAYER_THREADS_H_
