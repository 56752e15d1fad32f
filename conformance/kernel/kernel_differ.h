// SPDX-License-Identifier: Apache-2.0
// Calls of two builds of a module that come to something else: with nothing but the other build that the user names
// (--same-as), any call can be judged.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_DIFFER_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_DIFFER_H_

#include "kernel/kernel_call.h"

typedef enum KernelDiffers {
  KERNEL_DIFFERS_SERVED,   // calls that the other build serves
  KERNEL_DIFFERS_REFUSED,  // calls that it refuses
  KERNEL_DIFFERS_MEMORY,   // either, for how much memory they keep
} KernelDiffers;

// Makes many calls, drawn from a seed and each unlike the example in a few respects, in both builds, several after each other in
// a process of each. Records an expectation that fails for the first one that differs when it is repeated, too, and
// not where the other build gives something else each time. Returns how many calls were compared.
unsigned kernel_differ_drawn(Iut *iut, const Kernel *kernel, KernelDiffers which);

// The same with each call that the signature under test lists or allows, alone: those that the other build serves.
unsigned kernel_differ_listed(Iut *iut, const Kernel *kernel);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_DIFFER_H_
