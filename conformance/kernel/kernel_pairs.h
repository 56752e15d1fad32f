// SPDX-License-Identifier: Apache-2.0
// Calls with two listed values in which a signature file rules out what it allows of each.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_PAIRS_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_PAIRS_H_

#include "kernel/kernel_excluded.h"

// Makes those that differ from the right call in two arguments or sizes, as far as there is time.
void kernel_try_pairs(KernelTrying *trying);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_PAIRS_H_
