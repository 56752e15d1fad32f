// SPDX-License-Identifier: Apache-2.0
// Calls that a signature file lists, to make wrong calls of: what it says of some arguments is only wrong beside others.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_

#include "plan/kernel_choice.h"

enum { KERNEL_STATEMENTS_MAX = 128 };

// Of the conditions in "where", and of the refusals: whether a call was made that broke one.
typedef struct KernelUnbroken {
  bool conditions[KERNEL_STATEMENTS_MAX], refusals[KERNEL_STATEMENTS_MAX];
} KernelUnbroken;

// Calls (own; they live on) that differ from the example in what a statement names that no call has broken yet, those
// that differ in most of that first. Whether they are served is not known. Returns how many there are.
size_t kernel_bases(const Signature *signature, const Kernel *example, const KernelUnbroken *done,
                    const Kernel *bases[KERNEL_CHOICES_MAX]);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
