// SPDX-License-Identifier: Apache-2.0
// The example call of a signature, as far as one description of a call can say it.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_

#include "plan/kernel.h"
#include "signature/signature.h"

// Fills all of `kernel` but what it has besides a signature: its name and whether it has metadata.
void kernel_take_signature(Kernel *kernel, const Signature *signature);

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_SIGNATURE_H_
