// SPDX-License-Identifier: Apache-2.0
// What names turned out to stand for in a call whose arguments are given.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_BOUND_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_BOUND_H_

#include "plan/kernel.h"

// A size, or what "?n" is at this place of the arrays of the call, counted from 1. Names are borrowed.
typedef struct BoundSize {
  const char *name;
  uint32_t place;
  int64_t size;
} BoundSize;

// "*batch".
typedef struct BoundShape {
  const char *name;
  int32_t rank;
  int64_t shape[KERNEL_RANK_MAX];
} BoundShape;

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_BOUND_H_
