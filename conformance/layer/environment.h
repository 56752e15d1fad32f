// SPDX-License-Identifier: Apache-2.0
// The streams that calls set.
#ifndef TVMFFI_CONFORMANCE_LAYER_ENVIRONMENT_H_
#define TVMFFI_CONFORMANCE_LAYER_ENVIRONMENT_H_

#include "layer/layer.h"

// The call ends: the stream that it set should be the one that it found.
void environment_check_stream(const RingStream *set, const LayerParties *who);

#endif  // TVMFFI_CONFORMANCE_LAYER_ENVIRONMENT_H_
