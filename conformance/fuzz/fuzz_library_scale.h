// SPDX-License-Identifier: Apache-2.0
// The inputs of the surface library_scale.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_SCALE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_SCALE_H_

#include "fuzz/fuzz.h"

typedef enum FuzzScaleShape {
  FUZZ_SCALE_CHAIN,    // each module imports the next one
  FUZZ_SCALE_STAR,     // the first one imports all others
  FUZZ_SCALE_APART,    // nobody imports any
  FUZZ_SCALE_REPEAT,   // the first one imports the second one again and again
  FUZZ_SCALE_KIND,     // one module, of a long kind
  FUZZ_SCALE_VALUE,    // one module, with a large value
  FUZZ_SCALE_AT_ONCE,  // one module of a long kind, one of another, and two threads
  FUZZ_SCALE_SHAPES
} FuzzScaleShape;

// In an input: a byte each for `shape` and `grows`, and `count` in 32 bits.
enum { FUZZ_SCALE_BYTES = 6, FUZZ_SCALE_FACTOR = 16, FUZZ_SCALE_BOUND = 80 };

typedef struct FuzzScale {
  int shape;
  bool grows;  // it is compared with one that is FUZZ_SCALE_FACTOR times as large (BIN-48)
  uint32_t count;
} FuzzScale;

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_SCALE_H_
