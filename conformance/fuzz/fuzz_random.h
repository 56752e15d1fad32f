// SPDX-License-Identifier: Apache-2.0
// Numbers drawn from a seed: the same seed gives the same numbers everywhere.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_RANDOM_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_RANDOM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/random.h"

typedef struct FuzzRandom {
  uint64_t state;
} FuzzRandom;

static inline uint64_t fuzz_draw(FuzzRandom *random)
{
  return random_draw(&random->state);
}

// The numbers of execution `index` on slot `slot`.
static inline FuzzRandom fuzz_random(uint64_t seed, uint64_t slot, uint64_t index)
{
  FuzzRandom random = {seed};
  random.state = fuzz_draw(&random) ^ slot;
  random.state = fuzz_draw(&random) ^ index;
  fuzz_draw(&random);
  return random;
}

// Below `bound`, which is at least 1.
static inline size_t fuzz_below(FuzzRandom *random, size_t bound)
{
  return random_below(&random->state, bound);
}

static inline bool fuzz_one_in(FuzzRandom *random, size_t bound)
{
  return fuzz_below(random, bound) == 0;
}

// A number at which arithmetic goes wrong, or one near `usual`.
uint64_t fuzz_odd_number(FuzzRandom *random, uint64_t usual);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_RANDOM_H_
