// SPDX-License-Identifier: Apache-2.0
// The choices of a signature, worked out once for all cases of a worker: that takes a second for some.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_CHOSEN_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_CHOSEN_H_

#include "plan/kernel_choice.h"

// In the process whose copies run the cases: what one of them works out the next ones have. Without it each does.
void kernel_chosen_share(void);

// kernel_choices, with room for KERNEL_CHOICES_MAX.
size_t kernel_chosen(const Signature *signature, KernelChoice *choices);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_CHOSEN_H_
