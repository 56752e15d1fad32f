// SPDX-License-Identifier: Apache-2.0
// The checks of a single value.
#ifndef TVMFFI_CONFORMANCE_LAYER_VALUES_H_
#define TVMFFI_CONFORMANCE_LAYER_VALUES_H_

#include "layer/layer.h"

enum { VALUE_RESULT = -1 };

// Checks an argument, whose number is `index`, or a result (VALUE_RESULT), and has objects in it
// followed.
void values_check(const TVMFFIAny *value, int index, const LayerParties *who);

#endif  // TVMFFI_CONFORMANCE_LAYER_VALUES_H_
