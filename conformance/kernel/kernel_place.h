// SPDX-License-Identifier: Apache-2.0
// Objects at addresses where others were: callers release what they have handed over, and the allocator
// gives the memory to what they make next.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_PLACE_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_PLACE_H_

#include "kernel/kernel_call.h"

// Whether the argument for a parameter is an object that can be made again: a container, a shape, or a text of more
// letters than fit into a value.
bool kernel_has_place(const KernelParameter *parameter);

// Releases the argument of `first`, which was made, and makes that of `call`, which was not, again until it lies where
// the other one lay. False if none does, or `first` does not hold the only reference. Nothing else is released: what was
// made in vain, and what the containers hold, stays where it is.
bool kernel_take_place(KernelCall *first, KernelCall *call, unsigned position);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_PLACE_H_
