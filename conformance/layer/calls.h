// SPDX-License-Identifier: Apache-2.0
// Calls of functions, whichever way they are made.
#ifndef TVMFFI_CONFORMANCE_LAYER_CALLS_H_
#define TVMFFI_CONFORMANCE_LAYER_CALLS_H_

#include "layer/layer.h"

// What a function object's cell has in the place of its own safe_call.
int ffi_call_cell(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

// The same in the place of its cpp_call, while the layer records.
void ffi_call_cpp(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

#endif  // TVMFFI_CONFORMANCE_LAYER_CALLS_H_
