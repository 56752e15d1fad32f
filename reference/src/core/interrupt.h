// SPDX-License-Identifier: Apache-2.0
// Visit interrupts, objects around one value.
#ifndef REFERENCE_SRC_CORE_INTERRUPT_H_
#define REFERENCE_SRC_CORE_INTERRUPT_H_

#include <tvm/ffi/c_api.h>

#include "core/nest.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIAny value;  // own
} InterruptObject;

// Makes an interrupt around None, as a TVMFFIObjectCreator does.
int interrupt_create(TVMFFIObjectHandle *result);

// Ends what a dead interrupt holds.
void interrupt_end(TVMFFIObject *interrupt, Nest *nest);

#endif  // REFERENCE_SRC_CORE_INTERRUPT_H_
