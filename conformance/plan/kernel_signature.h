// SPDX-License-Identifier: Apache-2.0
// The example call of a signature, as far as one description of a call can say it.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_

#include "plan/kernel_choice.h"
#include "signature/signature.h"

// Fills all of `kernel` but what it has besides a signature: its name and whether it has metadata.
// False if no example call satisfies the signature, with the reason in `problem`.
bool kernel_take_signature(Kernel *kernel, const Signature *signature,
                           char problem[KERNEL_PROBLEM_MAX]);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_
