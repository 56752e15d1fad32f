// SPDX-License-Identifier: Apache-2.0
// How calls end that nobody has promised anything of, each made in a copy of the process.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPLORE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPLORE_H_

#include "kernel/kernel_call.h"

typedef enum Explored {
  EXPLORED_ELSE,     // it ended the process in another way, or there was no such call
  EXPLORED_REFUSED,  // it returned another code than 0
  EXPLORED_SERVED,
  EXPLORED_OUTSIDE,         // it read or wrote memory next to the elements of a tensor
  EXPLORED_OUTSIDE_RESULT,  // of one that it got from the environment
  EXPLORED_OUTSIDE_HEAP,    // behind memory of its own, or of its other arguments
  EXPLORED_NO_ADDRESS,      // in the first page, where nothing is
  EXPLORED_LOST,            // at another address
  EXPLORED_SIGNALLED,       // a signal that is not about memory, or an exit, ended the process
} Explored;

// Makes a call that is not the valid one; NULL if there is none. In a copy of the process: what it
// maps is gone afterwards.
typedef KernelCall *NewCall(Iut *iut, const Kernel *kernel, const void *context);

// Makes the call in a copy of the process, with a second to come back.
Explored explore_call(Iut *iut, const Kernel *kernel, NewCall *new_call, const void *context);

// The same of several: it makes the first, and others in the same copy as long as they are refused.
// How many it made, at least one of `count`, which is not 0; how each ended stands in `ends`.
enum { EXPLORED_AT_ONCE = 64 };
unsigned explore_calls(Iut *iut, const Kernel *kernel, NewCall *new_call,
                       const void *const *contexts, unsigned count,
                       Explored ends[EXPLORED_AT_ONCE]);

// Whether the call that was explored last, which was refused, wrote to tensor `i` of it (below
// KERNEL_TENSORS_MAX; as kernel_call_tensor counts them).
bool explored_change(unsigned i);

// Whether memory around the elements of a tensor of the call was written to.
bool wrote_outside(const KernelCall *call);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_EXPLORE_H_
