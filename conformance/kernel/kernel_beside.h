// SPDX-License-Identifier: Apache-2.0
// Views that are refused: for what they are, not for what lies beside their elements.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_BESIDE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_BESIDE_H_

#include "kernel/kernel_call.h"

// Where the call with this form for the tensor at `position` was refused: it is refused as well where the
// memory beside the elements of the tensor holds values that are right. A function that serves that has
// looked there: it refused what is no element.
// bool expect_refused_whatever_is_beside(Iut *iut, KernelCall *call, unsigned position,
//                                        const TensorForm *form)
#define expect_refused_whatever_is_beside(...) \
  expect_refused_whatever_is_beside_(EXPECT_HERE_, __VA_ARGS__)
bool expect_refused_whatever_is_beside_(const char *at, Iut *iut, KernelCall *call,
                                        unsigned position, const TensorForm *form);

// The same where all tensors in containers have the form.
#define expect_refused_whatever_is_beside_elements(...) \
  expect_refused_whatever_is_beside_elements_(EXPECT_HERE_, __VA_ARGS__)
bool expect_refused_whatever_is_beside_elements_(const char *at, Iut *iut, KernelCall *call,
                                                 const TensorForm *form);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_BESIDE_H_
