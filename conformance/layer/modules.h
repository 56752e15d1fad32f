// SPDX-License-Identifier: Apache-2.0
// Which libraries are in memory, for the reader of the ring.
#ifndef TVMFFI_CONFORMANCE_LAYER_MODULES_H_
#define TVMFFI_CONFORMANCE_LAYER_MODULES_H_

// Records what is loaded, and from here on what is loaded and unloaded.
void modules_start(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_MODULES_H_
