// SPDX-License-Identifier: Apache-2.0
// Memory for tensors that a function asks the environment for, as a frontend would give it.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_ALLOCATOR_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_ALLOCATOR_H_

#include "battery/iut.h"

// Sets an allocator for all threads, where the runtime can be told one: compact tensors, on the
// host filled with the byte 0xA5 and between unmapped pages, on a real device in its memory,
// elsewhere in memory where any access is a fault.
void kernel_allocator_offer(Iut *iut);

// Has its tensors be filled with this byte in the place of 0xA5, from here on.
void kernel_allocator_fill(unsigned char byte);

// Whether memory next to the elements of a tensor of this allocator was written to.
bool kernel_allocator_is_damaged(void);

// Whether the address is on the pages of such a tensor that is not deleted, those before and behind
// its memory included. Async-signal-safe.
bool kernel_allocator_is_next_to(uintptr_t address);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_ALLOCATOR_H_
