// SPDX-License-Identifier: Apache-2.0
// Values of every kind that a signature can name, made by the runtime: the arguments of a call.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_VALUE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_VALUE_H_

#include "kernel/kernel_call.h"

// The value of `parameter`, which is one of call->kernel or of its elements, as it stands in the
// right call. Tensors are put where the call keeps them; objects are owned by the call. `inside`: in
// a container, where everything is an object. The case does not apply to a runtime that lacks the
// function that makes one.
TVMFFIAny kernel_value_of(KernelCall *call, const KernelParameter *parameter, bool inside);

// An array, tuple or map of these elements, which stay the caller's; a map has keys and values in
// turn.
TVMFFIAny kernel_container_of(Iut *iut, KernelKind kind, TVMFFIAny *elements, size_t count);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_VALUE_H_
