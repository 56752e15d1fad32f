// SPDX-License-Identifier: Apache-2.0
// References to the objects among the arguments of a call: a function keeps none but where that is said.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_COUNTS_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_COUNTS_H_

#include "kernel/kernel_call.h"

// How many there were before the call; 0: not looked at.
typedef struct KernelCounts {
  uint64_t arguments[KERNEL_PARAMETERS_MAX];
  uint64_t elements[KERNEL_ELEMENTS_MAX];  // tensors in containers
  unsigned count;                          // of objects that are looked at
} KernelCounts;

// Whether the argument at `position`, which is an object, is looked at.
typedef bool KernelIsCounted(const KernelCall *call, unsigned position);

// Counts them, and with `inside` those of tensors in containers. A reference of ours keeps each object alive if one
// too many is given back.
void kernel_counts_take(const KernelCall *call, KernelIsCounted *is_counted, bool inside,
                        KernelCounts *counts);

// Expects as many, once the call was made and its outcome dropped. Of each argument so many more may be kept, and one
// besides of what is `retained`; of what is in a container that is, no count is expected.
// bool expect_counts_stay(const KernelCall *call, const KernelCounts *counts, unsigned more)
#define expect_counts_stay(...) expect_counts_stay_(EXPECT_HERE_, __VA_ARGS__)
bool expect_counts_stay_(const char *at, const KernelCall *call, const KernelCounts *counts,
                         unsigned more);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_COUNTS_H_
