// SPDX-License-Identifier: Apache-2.0
// The kinds of a signature's parameters, in the plain form that calls are made with.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_KINDS_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_KINDS_H_

#include "plan/kernel.h"

// Has `kernel` have the parameters and the result of the signature's first form, with source and
// kinds, and with type and shape of a tensor where the signature knows both. At most
// KERNEL_PARAMETERS_MAX parameters are taken.
void signature_take_kinds(const Signature *signature, Kernel *kernel);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_KINDS_H_
