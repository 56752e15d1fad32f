// SPDX-License-Identifier: Apache-2.0
// Functions that are looked up by their names: in modules, and in what these import.
#ifndef TVMFFI_CONFORMANCE_LAYER_LOOKUPS_H_
#define TVMFFI_CONFORMANCE_LAYER_LOOKUPS_H_

#include "layer/layer.h"

// After a call that gave a function: whether it is one that looks functions up in modules, and was
// asked for data.
void lookups_check_found(const void *called, const TVMFFIAny *args, int32_t num_args,
                         const LayerParties *who);

// In a copy of the process: what other threads were doing is never finished there.
void lookups_forked(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_LOOKUPS_H_
