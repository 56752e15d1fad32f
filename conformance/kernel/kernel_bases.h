// SPDX-License-Identifier: Apache-2.0
// Calls that a signature file lists, to make wrong calls of: what it says of some arguments is only wrong beside others.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_

#include "battery/iut.h"
#include "plan/kernel.h"
#include "signature/signature.h"

enum { KERNEL_STATEMENTS_MAX = 128 };

// Of the conditions in "where", and of the refusals: whether a call was made that broke one.
typedef struct KernelUnbroken {
  bool conditions[KERNEL_STATEMENTS_MAX], refusals[KERNEL_STATEMENTS_MAX];
} KernelUnbroken;

// Calls (own; they live on) that differ from the example in what a statement names that no call has broken yet, those
// that differ in most of that first. Each is served. Returns how many there are, at most `capacity`.
size_t kernel_bases(Iut *iut, const Signature *signature, const Kernel *example,
                    const KernelUnbroken *done, const Kernel **bases, size_t capacity);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
