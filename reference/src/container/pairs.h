// SPDX-License-Identifier: Apache-2.0
// Pairs of objects, each noted once, in the order in which they were met: what a walk through
// containers has seen and what it has still to see. Nests of any depth need no deep stack, shared
// parts are visited once, and cycles end.
#ifndef REFERENCE_SRC_CONTAINER_PAIRS_H_
#define REFERENCE_SRC_CONTAINER_PAIRS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

typedef struct {
  TVMFFIObject *one;    // own
  TVMFFIObject *other;  // own, or borrow of a walk that says so; may be NULL
  TVMFFIObject *made;   // own; NULL until the walk sets it
} Pair;

// Zero is a walk that has met nothing.
typedef struct {
  Pair *pairs;
  size_t count, room;
  uint32_t *slots;  // one more than the number of a pair, 0 for a free slot
  size_t slot_count;
  bool borrows_other;  // what holds the other of each pair outlives the walk
} Pairs;

// Notes a pair, and says which number it has.
// one, other: borrow; `other` may be NULL. Returns 1 if it is new, 0 if not; -1 with InternalError
// if there is no memory.
int pairs_note(Pairs *pairs, TVMFFIObject *one, TVMFFIObject *other, size_t *number);

// Gives back everything, what was made included.
void pairs_end(Pairs *pairs);

#endif  // REFERENCE_SRC_CONTAINER_PAIRS_H_
