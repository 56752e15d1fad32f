// SPDX-License-Identifier: Apache-2.0
// The generation of the ABI of a library, by the objects that it makes (run/generation.h
// decides).
#ifndef TVMFFI_CONFORMANCE_BATTERY_GENERATION_OBJECTS_H_
#define TVMFFI_CONFORMANCE_BATTERY_GENERATION_OBJECTS_H_

#include "battery/iut.h"

// Has the library make an object and looks at its header. The GENERATION_BIT (abi/abi.h) of the
// generation whose header that is; 0 if no object is available, or none that is of either.
unsigned generation_of_objects(Iut *iut);

// Has the library taken for one of the generation that `seen` is the GENERATION_BIT of; nothing if
// that is none, or more than one.
void generation_speak(Iut *iut, unsigned seen);

#endif  // TVMFFI_CONFORMANCE_BATTERY_GENERATION_OBJECTS_H_
