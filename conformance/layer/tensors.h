// SPDX-License-Identifier: Apache-2.0
// Tensors in values, and DLPack tensors as they come and go.
#ifndef TVMFFI_CONFORMANCE_LAYER_TENSORS_H_
#define TVMFFI_CONFORMANCE_LAYER_TENSORS_H_

#include "layer/layer.h"

// Checks what an argument, whose number is `index`, describes.
void tensors_check(const DLTensor *tensor, int index, const LayerParties *who);

#endif  // TVMFFI_CONFORMANCE_LAYER_TENSORS_H_
