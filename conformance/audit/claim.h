// SPDX-License-Identifier: Apache-2.0
// Places in the layer for runtimes and for functions of modules, as both ways of redirection take them:
// one at a time, under a lock of theirs. It needs no library.
#ifndef TVMFFI_CONFORMANCE_AUDIT_CLAIM_H_
#define TVMFFI_CONFORMANCE_AUDIT_CLAIM_H_

#include "layer/link.h"

// The first place that none has, or none any more; LAYER_RUNTIMES_MAX, counted as lost, if there is no room.
static inline unsigned claim_runtime(LayerLink *link, uintptr_t start, uintptr_t end)
{
  unsigned number = 0, count = atomic_load(&link->runtime_count);
  while (number < count && atomic_load(&link->runtimes[number].start)) ++number;
  if (number >= LAYER_RUNTIMES_MAX) {
    atomic_fetch_add(&link->lost_runtimes, 1);
    return LAYER_RUNTIMES_MAX;
  }
  link->runtimes[number].real = (AbiApi){0};
  link->runtimes[number].start = start;
  link->runtimes[number].end = end;
  return number;
}

// When all of its functions are there.
static inline void claim_is_filled(LayerLink *link, unsigned number)
{
  if (number < LAYER_RUNTIMES_MAX && number == atomic_load(&link->runtime_count))
    atomic_store(&link->runtime_count, number + 1);
}

// The same for a function of a module.
static inline unsigned claim_entry(LayerLink *link, TVMFFISafeCallType real)
{
  unsigned number = 0, count = atomic_load(&link->entry_count);
  while (number < count && atomic_load(&link->entries[number].real)) ++number;
  if (number >= LAYER_ENTRIES_MAX) {
    atomic_fetch_add(&link->lost_entries, 1);
    return LAYER_ENTRIES_MAX;
  }
  atomic_store(&link->entries[number].real, real);
  if (number == count) atomic_store(&link->entry_count, number + 1);
  return number;
}

#endif  // TVMFFI_CONFORMANCE_AUDIT_CLAIM_H_
