// SPDX-License-Identifier: Apache-2.0
// Calls that a signature file lists, to make wrong calls of: what it says of some arguments is only wrong beside others.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_

#include "plan/kernel_choice.h"
#include "plan/kernel_outside.h"

// Conditions in "where", and conditions of refusals, that calls break, or meet.
typedef struct KernelBroken {
  KernelStatements conditions, refusals;
} KernelBroken;

// Calls (own; they live on) that differ from the example in what a statement names that no call has broken yet, those
// that differ in most of that first. Whether they are served is not known. `heard`: refusals whose error a call had
// that nobody lists: where they name one thing alone, other values beside it change nothing. Returns how many
// there are.
size_t kernel_bases(const Signature *signature, const Kernel *example, const KernelBroken *done,
                    const KernelStatements *heard, const Kernel *bases[KERNEL_CHOICES_MAX]);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_BASES_H_
