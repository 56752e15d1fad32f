// SPDX-License-Identifier: Apache-2.0
// Counts in the header of an object, for mutants that count in ways of their own: they are built
// over the reference of both generations of the ABI.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_COUNTS_H_
#define TVMFFI_CONFORMANCE_MUTANTS_COUNTS_H_

#include <unistd.h>

#include "mutants/mutant.h"

// The word to which 1 is added for a strong reference, whatever else it holds.
static inline uint64_t *strong_word(TVMFFIObject *object)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return &object->strong_ref_count;
#else
  return &object->combined_ref_count;
#endif
}

static inline uint64_t strong_count(TVMFFIObject *object)
{
  uint64_t word = __atomic_load_n(strong_word(object), __ATOMIC_ACQUIRE);
#ifdef TVM_FFI_GENERATION_2025_09
  return word;
#else
  return (uint32_t)word;
#endif
}

static inline uint64_t weak_count(TVMFFIObject *object)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return __atomic_load_n(&object->weak_ref_count, __ATOMIC_ACQUIRE);
#else
  return __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE) >> 32;
#endif
}

static inline void set_counts(TVMFFIObject *object, uint32_t strong, uint32_t weak)
{
#ifdef TVM_FFI_GENERATION_2025_09
  object->strong_ref_count = strong;
  object->weak_ref_count = weak;
#else
  object->combined_ref_count = (uint64_t)weak << 32 | strong;
#endif
}

// Stands for the interruptions of a busy machine: waits until another thread has changed what was
// seen, or a while.
#define WAIT_WHILE(unchanged) \
  for (int waits = 0; waits < 20 && (unchanged); ++waits) usleep(50)

// Reads the count and writes it back higher, not atomically. Whoever is `held_up` waits in between.
static inline void raise_in_two_steps(TVMFFIObject *object, bool held_up)
{
  volatile uint64_t *count = strong_word(object);
  uint64_t seen = *count;
  if (held_up) WAIT_WHILE(*count == seen);
  *count = seen + 1;
}

// Both return how many there were before.
static inline uint64_t drop_strong(TVMFFIObject *object)
{
  uint64_t before = __atomic_fetch_sub(strong_word(object), 1, __ATOMIC_ACQ_REL);
#ifdef TVM_FFI_GENERATION_2025_09
  return before;
#else
  return (uint32_t)before;
#endif
}

static inline uint64_t drop_weak(TVMFFIObject *object)
{
#ifdef TVM_FFI_GENERATION_2025_09
  return __atomic_fetch_sub(&object->weak_ref_count, 1, __ATOMIC_ACQ_REL);
#else
  const uint64_t weak = UINT64_C(1) << 32;
  return __atomic_fetch_sub(&object->combined_ref_count, weak, __ATOMIC_ACQ_REL) >> 32;
#endif
}

// True if these are the only references: one strong, and the weak one that it holds.
static inline int is_only_reference(TVMFFIObject *object)
{
  return strong_count(object) == 1 && weak_count(object) == 1;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_COUNTS_H_
