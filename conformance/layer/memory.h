// SPDX-License-Identifier: Apache-2.0
// Whether there is memory where somebody says that there is: the layer does not crash where the
// program would not have.
#ifndef TVMFFI_CONFORMANCE_LAYER_MEMORY_H_
#define TVMFFI_CONFORMANCE_LAYER_MEMORY_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether all of these bytes can be read now. Asks the kernel, unless they are on the thread's stack.
bool memory_is_readable(const void *start, size_t size);

// Whether the aligned word can be written.
bool memory_is_writable(void *word);

// A number that changes when the program unmaps or protects memory, or closes a library: what was
// readable before has to be asked for again.
void memory_changed(void);

extern atomic_uint memory_epoch_now;

static inline uint32_t memory_epoch(void)
{
  return atomic_load_explicit(&memory_epoch_now, memory_order_acquire);
}

#endif  // TVMFFI_CONFORMANCE_LAYER_MEMORY_H_
