// SPDX-License-Identifier: Apache-2.0
// Whether each call of a function from one place leaves an object behind that lives to the end of the
// program: for the preset deep.
#ifndef TVMFFI_CONFORMANCE_LAYER_GROWTH_H_
#define TVMFFI_CONFORMANCE_LAYER_GROWTH_H_

#include "layer/shadow.h"

// A call begins: notes which one of a function from a place it is.
void growth_begin(RingCall *call);

// The call of this thread that an object is first seen in, as a number; 0: none that is counted.
uint32_t growth_birth(void);

// An object was an argument, first seen there, or a result: the caller knows of it.
void growth_note_handed_over(const TVMFFIObject *object);

// At the end of the program, where a copy of a process has none of its own.
void growth_take(void);

#endif  // TVMFFI_CONFORMANCE_LAYER_GROWTH_H_
