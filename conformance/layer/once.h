// SPDX-License-Identifier: Apache-2.0
// Handles that are initialized once.
#ifndef TVMFFI_CONFORMANCE_LAYER_ONCE_H_
#define TVMFFI_CONFORMANCE_LAYER_ONCE_H_

// In a copy of the process: what other threads were initializing is never finished there.
void once_forked(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_ONCE_H_
