// SPDX-License-Identifier: Apache-2.0
// What the layer keeps of each thread, without thread-local storage.
#ifndef TVMFFI_CONFORMANCE_LAYER_THREADS_H_
#define TVMFFI_CONFORMANCE_LAYER_THREADS_H_

#include "layer/ring.h"

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

// Counters are kept in several places, so that threads do not wait for each other.
static inline unsigned threads_shard(void)
{
  return (unsigned)(threads_hash() % RING_SHARDS);
}

// The place of the calling thread, or NULL if too many are inside of calls.
RingThread *threads_enter(void);

// What threads_enter gave, when the call is over that it was entered for.
void threads_leave(RingThread *thread);

#endif  // TVMFFI_CONFORMANCE_LAYER_THREADS_H_
