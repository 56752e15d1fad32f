// SPDX-License-Identifier: Apache-2.0
// Whether what comes out of a call depends on what memory held that was fresh in it: tensors of the
// environment's allocator, and the function's own heap.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_FRESH_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_FRESH_H_

#include "kernel/kernel_call.h"

typedef enum FreshEnd {
  FRESH_UNKNOWN,  // the call is refused, does not give the same twice, or cannot be looked at
  FRESH_SAME,
  FRESH_UNWRITTEN,  // a tensor is returned, nothing of which was written: it may be for that
  FRESH_DIFFERS,
} FreshEnd;

// Makes the valid call of `kernel` in copies of the process, with fresh memory full of zeros and of
// another byte. Where outcomes differ, `difference` says where.
FreshEnd kernel_fresh_memory(Iut *iut, const Kernel *kernel, char difference[160]);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_FRESH_H_
