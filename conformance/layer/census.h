// SPDX-License-Identifier: Apache-2.0
// What is alive when the program ends.
#ifndef TVMFFI_CONFORMANCE_LAYER_CENSUS_H_
#define TVMFFI_CONFORMANCE_LAYER_CENSUS_H_

// Counts the objects that are followed and alive, by type and by who first showed them to the layer, if
// that was asked for. Copies of a process have its objects, and count none.
void census_take(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_CENSUS_H_
