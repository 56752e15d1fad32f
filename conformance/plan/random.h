// SPDX-License-Identifier: Apache-2.0
// Numbers drawn from a seed: the same seed gives the same numbers everywhere.
#ifndef TVMFFI_CONFORMANCE_PLAN_RANDOM_H_
#define TVMFFI_CONFORMANCE_PLAN_RANDOM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// splitmix64.
static inline uint64_t random_draw(uint64_t *state)
{
  uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
  word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
  return word ^ word >> 31;
}

// Below `bound`, which is at least 1.
static inline size_t random_below(uint64_t *state, size_t bound)
{
  return (size_t)(random_draw(state) % bound);
}

static inline bool random_one_in(uint64_t *state, size_t bound)
{
  return random_below(state, bound) == 0;
}

#endif  // TVMFFI_CONFORMANCE_PLAN_RANDOM_H_
