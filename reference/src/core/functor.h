// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime's own that remember an object and a place in it.
#ifndef REFERENCE_SRC_CORE_FUNCTOR_H_
#define REFERENCE_SRC_CORE_FUNCTOR_H_

#include <tvm/ffi/c_api.h>

#include "core/nest.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;  // LAY-13, LAY-14
  TVMFFIObject *held;       // own
  uint64_t place;           // for the safe call to use as it likes
} Functor;

// Makes a function that calls `safe_call`, whose handle is the functor.
// held: own, also on failure. Returns own; NULL if there is no memory.
TVMFFIObject *functor_new(TVMFFISafeCallType safe_call, TVMFFIObject *held, uint64_t place);

// Drops what a dead functor holds.
void functor_end(TVMFFIObject *functor, Nest *nest);

#endif  // REFERENCE_SRC_CORE_FUNCTOR_H_
