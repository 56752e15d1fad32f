// SPDX-License-Identifier: Apache-2.0
// Whether there is memory where somebody says that there is: the layer does not crash where the
// program would not have.
#ifndef TVMFFI_CONFORMANCE_LAYER_MEMORY_H_
#define TVMFFI_CONFORMANCE_LAYER_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>

// Whether all of these bytes are mapped. Remembers pages that were.
bool memory_is_mapped(const void *start, size_t size);

#endif  // TVMFFI_CONFORMANCE_LAYER_MEMORY_H_
