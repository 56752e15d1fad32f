// SPDX-License-Identifier: Apache-2.0
// Whether the refusal of a wrong call is to be judged: not where the signature file takes the call; and
// in a case that judges KER-47 only where the file rules it out and promises the check. Without a
// file each is.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_DUE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_DUE_H_

#include "kernel/kernel_tensor.h"
#include "plan/kernel_outside.h"

// The valid call of `kernel` with a tensor of this form at `position`. `check`: SIGNATURE_CHECKS_* of
// the case.
bool tensor_is_due(const Kernel *kernel, unsigned position, const TensorForm *form, unsigned check);
// The same, and not for its elements alone: others may be right in a tensor of that shape.
bool shape_is_due(const Kernel *kernel, unsigned position, const TensorForm *form);
// Whether a file rules that call out by one of these; false where there is none.
bool tensor_is_outside(const Kernel *kernel, unsigned position, const TensorForm *form,
                       unsigned check);

// The same with a value of this type index, which is no spelling that the parameter is said to take.
bool value_is_due(const Kernel *kernel, unsigned position, int32_t type_index, unsigned check);

// The same with so many arguments: the first ones, or all and None behind them.
bool count_is_due(const Kernel *kernel, unsigned count, unsigned check);

// For a call that is described as a whole.
bool call_is_due(const Kernel *kernel, const Kernel *call, unsigned check);

// Whether the signature is known not to take the call, whatever it promises. False without a file.
bool call_is_outside(const Kernel *call);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_DUE_H_
